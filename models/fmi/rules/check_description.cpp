#include "models/fmi/rules/check_description.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <pugixml.hpp>
#include <vector>

#include "models/fmi/archive/platform_library.hpp"
#include "models/fmi/archive/zip_reader.hpp"
#include "models/fmi/description/model_description.hpp"
#include "models/fmi/description/read_description.hpp"
#include "models/fmi/rules/attribute_rules.hpp"
#include "models/fmi/rules/raw_description.hpp"
#include "models/fmi/rules/root_rules.hpp"
#include "models/fmi/rules/start_rules.hpp"
#include "models/fmi/rules/structure_rules.hpp"
#include "models/fmi/rules/type_rules.hpp"
#include "models/fmi/rules/variable_rules.hpp"
#include "models/fmi/xml/fmu_refused.hpp"
#include "models/fmi/xml/own_refusal.hpp"
#include "models/fmi/xml/xml_guard.hpp"
#include "models/fmi/xml/xml_values.hpp"

namespace macrostep::models::fmi {

namespace {

constexpr std::string_view description_name = "modelDescription.xml";

/// What is read from an archive that macrostep may refuse as a whole.
struct Contents {
  std::vector<std::string> files;
  std::optional<std::string> description;
  bool complete = true;  ///< or are there more files than the limit
};

Contents contents_of(const std::filesystem::path& archive, const ArchiveLimits& limits) {
  const ZipReader zip(archive, limits.bytes);
  Contents contents;
  contents.complete = zip.entry_count() <= limits.entries;
  for (std::uint64_t i = 0; i < std::min<std::uint64_t>(zip.entry_count(), limits.entries); ++i) {
    const auto entry = zip.entry(i);
    if (entry.is_directory) {
      continue;
    }
    contents.files.push_back(entry.name);
    if (entry.name != description_name || contents.description) {
      continue;
    }
    std::string text;
    zip.inflate(entry, [&](std::string_view piece) {
      if (text.size() <= XmlLimits{}.bytes) {
        text += piece;
      }
    });
    contents.description = std::move(text);
  }
  return contents;
}

pugi::xml_node root_of(const pugi::xml_document& document) {
  const auto root = document.child("fmiModelDescription");
  if (!root) {
    throw FmuRefused(std::string(description_name) + " has no fmiModelDescription");
  }
  return root;
}

Findings check_root_element(pugi::xml_node root, const std::vector<std::string>& notes) {
  rules::Report report;
  for (const auto& note : notes) {
    report.error(std::string(description_name), note, "encoding");
  }
  const auto raw = rules::read_raw(root);
  rules::check_root(raw, report);
  rules::check_attributes(raw, report);
  rules::check_types(raw, report);
  rules::check_variables(raw, report);
  rules::check_starts(raw, report);
  rules::check_structure(raw, report);
  return report.take();
}

/// Each interface must have its library, by its name and platform; an FMU for other platforms alone
/// follows the standard.
void check_libraries(pugi::xml_node root, const std::vector<std::string>& files,
                     Findings& findings) {
  const bool two = !std::string_view(root.attribute("fmiVersion").value()).starts_with("3");
  const std::string directory(platform_directory(two ? Version::fmi2 : Version::fmi3));
  std::map<std::string, std::string> wanted;  // interfaces by file
  for (const char* name : {"CoSimulation", "ModelExchange"}) {
    if (const auto interface = root.child(name)) {
      auto& names =
          wanted[directory + "/" + interface.attribute("modelIdentifier").value() + ".so"];
      names += (names.empty() ? "" : " and ") + std::string(name);
    }
  }
  const bool any = std::ranges::any_of(
      files, [&](const std::string& file) { return file.starts_with(directory + "/"); });
  for (const auto& [file, names] : wanted) {
    if (std::ranges::find(files, file) == files.end()) {
      findings.push_back({any ? Severity::error : Severity::warning, "archive",
                          shown(std::string_view(file)),
                          "is missing, the library of " + names + " for 64-bit Linux"});
    }
  }
}

/// Whether a description that keeps the rules has something that macrostep cannot read.
bool is_unreadable(const std::string& description) {
  try {
    read_model_description(description);
    return false;
  } catch (const FmuRefused&) {
    return true;
  }
}

bool has_error(const Findings& findings) {
  return std::ranges::find(findings, Severity::error, &Finding::severity) != findings.end();
}

}  // namespace

Findings check_description(std::string_view xml) {
  std::vector<std::string> notes;
  const auto document = parse_xml(xml, description_name, notes);
  return check_root_element(root_of(document), notes);
}

ArchiveCheck check_fmu_archive(const std::filesystem::path& archive, const ArchiveLimits& limits) {
  ArchiveCheck check;
  bool own_reason = false;
  try {
    check_archive(archive, limits);
  } catch (const OwnRefusal& refused) {
    check.refused = refused.what();
    own_reason = true;
  } catch (const FmuRefused& refused) {
    check.refused = refused.what();
  }
  try {
    const auto contents = contents_of(archive, limits);
    if (contents.description) {
      std::vector<std::string> notes;
      const auto document = parse_xml(*contents.description, description_name, notes);
      const auto root = root_of(document);
      check.version = root.attribute("fmiVersion").value();
      check.findings = check_root_element(root, notes);
      own_reason = own_reason || is_unreadable(*contents.description);
      if (contents.complete) {
        check_libraries(root, contents.files, check.findings);
      }
    }
  } catch (const FmuRefused&) {
    // The archive is so broken that no rule can be looked at: the reason is the finding.
  }
  if (check.refused && !has_error(check.findings)) {
    const auto severity = own_reason ? Severity::warning : Severity::error;
    check.findings.push_back({severity, "archive", "", *check.refused});
  }
  return check;
}

}  // namespace macrostep::models::fmi
