#include "models/fmi/systems/open_system.hpp"

#include <cerrno>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <system_error>

#include "models/fmi/archive/archive.hpp"
#include "models/fmi/archive/archive_names.hpp"
#include "models/fmi/archive/zip_reader.hpp"
#include "models/fmi/systems/read_osp.hpp"
#include "models/fmi/systems/read_ssd.hpp"
#include "models/fmi/xml/fmu_refused.hpp"
#include "models/fmi/xml/xml_guard.hpp"
#include "models/fmi/xml/xml_values.hpp"

namespace macrostep::models::fmi {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view ssd_name = "SystemStructure.ssd";
constexpr std::string_view osp_name = "OspSystemStructure.xml";

std::string read_file(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) {
    throw std::system_error(errno, std::generic_category(), file.string());
  }
  std::string text(XmlLimits{}.bytes + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  return text;
}

std::string source_of(const std::string& source) {
  return source.starts_with("file:") && !source.starts_with("file:///") ? source.substr(5) : source;
}

/// Sources beside the description, for systems that are no archive.
SystemStructure beside(SystemStructure system, const fs::path& directory) {
  for (auto& component : system.components) {
    const std::string source = source_of(component.source);
    if (source.find("://") != std::string::npos) {
      throw FmuRefused("component '" + component.name + "' comes from " +
                       shown(std::string_view(source)) + ", and only files are opened");
    }
    component.source = (directory / source).lexically_normal().string();
  }
  return system;
}

/// An .ssp, its entries by name.
class Package {
 public:
  explicit Package(const fs::path& file) : zip_(file, limits_.bytes) {
    if (zip_.entry_count() > limits_.entries) {
      throw FmuRefused("the archive has more than " + std::to_string(limits_.entries) + " entries");
    }
    EntryNames names;
    for (std::uint64_t i = 0; i < zip_.entry_count(); ++i) {
      auto entry = zip_.entry(i);
      names.add(entry.name);
      entries_.emplace(entry.name, entry);
    }
  }

  std::string text(const std::string& name) {
    std::string text;
    inflate(name, [&](std::string_view piece) {
      text += piece;
      if (text.size() > XmlLimits{}.bytes) {
        throw FmuRefused("the archive's " + name + " is too long");
      }
    });
    return text;
  }

  void extract(const std::string& name, const fs::path& file) {
    std::ofstream out(file, std::ios::binary);
    inflate(name, [&](std::string_view piece) {
      out.write(piece.data(), static_cast<std::streamsize>(piece.size()));
    });
    out.close();
    if (!out) {
      throw std::system_error(errno, std::generic_category(), file.string());
    }
  }

 private:
  template <class Take>
  void inflate(const std::string& name, Take take) {
    const auto found = entries_.find(name);
    if (found == entries_.end()) {
      throw FmuRefused("the archive has no " + shown(std::string_view(name)));
    }
    zip_.inflate(found->second, [&](std::string_view piece) {
      inflated_ += piece.size();
      if (inflated_ > limits_.inflated_bytes) {
        throw FmuRefused("the archive inflates to more than " +
                         std::to_string(limits_.inflated_bytes >> 20) + " MB");
      }
      take(piece);
    });
  }

  ArchiveLimits limits_;
  ZipReader zip_;
  std::map<std::string, ZipEntry> entries_;
  std::uint64_t inflated_ = 0;
};

SystemStructure open_package(const fs::path& file, const fs::path& scratch) {
  Package package(file);
  auto system = read_ssd(package.text(std::string(ssd_name)),
                         [&](const std::string& name) { return package.text(name); });
  std::map<std::string, std::string> extracted;  // several components may be of one FMU
  for (auto& component : system.components) {
    auto [known, is_new] = extracted.try_emplace(source_of(component.source));
    if (is_new) {
      known->second = (scratch / (std::to_string(extracted.size()) + ".fmu")).string();
      package.extract(known->first, known->second);
    }
    component.source = known->second;
  }
  return system;
}

}  // namespace

bool is_system_file(const fs::path& file) {
  return file.extension() == ".ssp" || file.extension() == ".ssd" || file.filename() == osp_name;
}

SystemStructure open_system(const fs::path& file, const fs::path& scratch) {
  if (file.extension() == ".ssp") {
    return open_package(file, scratch);
  }
  const auto directory = file.parent_path();
  if (file.filename() == osp_name) {
    return beside(read_osp(read_file(file)), directory);
  }
  const auto read_part = [&](const std::string& name) { return read_file(directory / name); };
  return beside(read_ssd(read_file(file), read_part), directory);
}

}  // namespace macrostep::models::fmi
