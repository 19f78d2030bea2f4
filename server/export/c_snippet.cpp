#include "server/export/c_snippet.hpp"

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/provenance.hpp"
#include "engine/base/text.hpp"
#include "server/base/printable.hpp"

namespace macrostep::server {

namespace {

/// Their names as beginnings of identifiers, each another one.
std::vector<std::string> identifiers(const std::vector<engine::SubsystemDefinition>& subsystems) {
  std::vector<std::string> list;
  for (const auto& subsystem : subsystems) {
    std::string text = subsystem.name;
    std::ranges::replace_if(
        text, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
    if (std::isalpha(static_cast<unsigned char>(text.front())) == 0) {
      text.insert(0, "subsystem_");
    }
    std::string unique = text;
    for (int n = 2; std::ranges::find(list, unique) != list.end(); ++n) {
      unique = text + "_" + std::to_string(n);
    }
    list.push_back(std::move(unique));
  }
  return list;
}

/// What can neither end a comment nor turn it around.
std::string comment_text(const std::string& unsafe) {
  std::string text = printable(unsafe);
  for (const std::string_view mark : {"*/", "/*"}) {
    for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark)) {
      text.insert(at + 1, " ");
    }
  }
  return text;
}

/// What other extrapolations do, where no table of past values says it.
std::string in_words(engine::Extrapolation extrapolation) {
  switch (extrapolation) {
    case engine::Extrapolation::i1:
      return "s = s_n + s_dot_n tau, s_dot held, from the derivatives that the other side puts out";
    case engine::Extrapolation::i2:
      return "s = s_n + s_dot_n tau + s_ddot_n tau^2/2, s_dot = s_dot_n + s_ddot_n tau";
    case engine::Extrapolation::least_squares:
      return "the straight line that fits the five newest values best";
    case engine::Extrapolation::hermite:
      return "the cubic through the two newest values and their derivatives";
    case engine::Extrapolation::adaptive:
      return "the order 0 to 3 that would have predicted the newest value best";
    default:
      return "from the end of the last polynomial to what the straight line through the two newest "
             "values expects at the end of the macro-step";
  }
}

/// Lagrange's polynomial in powers of theta: row k has the weights of u(t_n), u(t_n − H), … in the
/// coefficient of theta^k.
std::string extrapolation_table(int order) {
  const auto size = static_cast<std::size_t>(order) + 1;
  std::vector<std::vector<double>> weights(size, std::vector<double>(size));
  for (std::size_t j = 0; j < size; ++j) {
    engine::InputHistory history;
    for (std::size_t value = size; value-- > 0;) {  // the oldest first
      engine::remember(history, value == j ? 1.0 : 0.0, order);
    }
    const auto polynomial = engine::lagrange_polynomial(history.differences);
    for (std::size_t k = 0; k < size; ++k) {
      weights[k][j] = polynomial.coefficients[k];
    }
  }
  std::string text =
      "/* An input over the macro-step from t_n on, 0 <= theta <= 1:\n"
      "   u(t_n + theta*H) = sum over k of theta^k * sum over j of\n"
      "                      extrapolation[k][j] * u(t_n - j*H) */\n"
      "enum { extrapolation_order = " +
      std::to_string(order) + " };\n" + "static const double extrapolation[" +
      std::to_string(size) + "][" + std::to_string(size) + "] = {";
  for (std::size_t k = 0; k < size; ++k) {
    text += k == 0 ? "\n    {" : ",\n    {";
    for (std::size_t j = 0; j < size; ++j) {
      text += (j == 0 ? "" : ", ") + engine::exact_text(weights[k][j]);
    }
    text += "}";
  }
  return text + "};\n";
}

std::string subsystem_constants(const RecommendedExport& recommended,
                                const engine::SubsystemDefinition& subsystem,
                                const std::string& name) {
  const auto& configuration = recommended.plan.configurations[recommended.configuration];
  std::string text;
  const auto* integrator = engine::setting_of(configuration.integrators, subsystem);
  text += "static const char* const " + name + "_integrator = \"" +
          (integrator ? std::string(to_string(*integrator)) : "") + "\";\n";
  const auto* substeps = engine::setting_of(configuration.substeps, subsystem);
  text += "static const int " + name + "_substeps = " + std::to_string(substeps ? *substeps : 1) +
          "; /* communication intervals in a macro-step */\n";
  const auto* given = engine::setting_of(recommended.plan.job.micro_steps, subsystem);
  const auto micro_step_s = given ? std::optional(*given) : subsystem.micro_step_s;
  if (micro_step_s) {
    text += "static const double " + name + "_micro_step_s = " + engine::exact_text(*micro_step_s) +
            "; /* at most */\n";
  }
  return text;
}

std::string held_inputs(const engine::Coupling& coupling) {
  std::string text;
  for (const auto& connection : coupling.connections) {
    if (!connection.extrapolate) {
      text += (text.empty() ? "" : ", ") + connection.to.text();
    }
  }
  return text.empty() ? "" : "/* Held over the macro-step, whatever the others: " + text + " */\n";
}

}  // namespace

std::string c_of(const RecommendedExport& recommended) {
  const auto& plan = recommended.plan;
  const auto& configuration = plan.configurations[recommended.configuration];
  const auto& coupling = plan.coupling(configuration);
  std::string text = "/* \"" + comment_text(plan.job.name) + "\": search " + recommended.id +
                     " of macrostep " + engine::provenance().version + ".\n   " +
                     comment_text(recommended.sentence) + "\n";
  for (const auto& [name, value] : recommended.settings) {
    text += "\n   " + comment_text(name + " = " + value);
  }
  text += " */\n\n";
  text += "static const double macro_step_s = " + engine::exact_text(recommended.macro_step_s) +
          "; /* H */\n\n";
  const auto extrapolation = configuration.extrapolation;
  text += extrapolation <= engine::Extrapolation::order_4
              ? extrapolation_table(engine::order(extrapolation))
              : "/* extrapolation " + std::string(to_string(extrapolation)) + ": " +
                    in_words(extrapolation) + " */\n";
  text += held_inputs(coupling) + "\n";
  const auto names = identifiers(coupling.subsystems);
  for (std::size_t s = 0; s < names.size(); ++s) {
    text += subsystem_constants(recommended, coupling.subsystems[s], names[s]);
  }
  return text;
}

}  // namespace macrostep::server
