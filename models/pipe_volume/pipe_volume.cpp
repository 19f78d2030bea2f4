#include "models/pipe_volume/pipe_volume.hpp"

#include <Eigen/Core>
#include <array>

#include "models/integrators/native.hpp"

namespace macrostep::models {

namespace {

using P = PipeVolumeParameters;

/// 6 l/min.
constexpr double nominal_flow_m3_per_s = 1e-4;

constexpr std::array parameter_table{
    Parameter<P>{"omega_0", "rad/s", &P::frequency_rad_per_s, 1e-3, 1e7,
                 "frequency of one pipe and volume"},
    Parameter<P>{"zeta", "1", &P::pipe_damping_ratio, 0, 10, "damping ratio of the pipe"},
    Parameter<P>{"omega_0_tau", "1", &P::decay, 1e-3, 1e9,
                 "decay time of the volume through its leak, in units of 1/omega_0"},
    Parameter<P>{"Z", "Pa s/m^3", &P::impedance_pa_s_per_m3, 1e3, 1e15,
                 "impedance sqrt(I/C) of one pipe and volume"},
};

constexpr std::array integrators{Integrator::exact, Integrator::cvode, Integrator::rk4,
                                 Integrator::trapezoidal, Integrator::forward_euler};

template <PipeVolumeSide side>
class PipeVolume {
 public:
  static constexpr bool linear = true;
  static constexpr CvodeMethod cvode_method = CvodeMethod::adams;
  static constexpr bool is_left = side == PipeVolumeSide::left;
  static constexpr int input_count = 1;
  static constexpr int external_count = 1;  ///< e_0, which is no port and stays 0, or f_3
  using State = Eigen::Vector2d;            ///< q [m³], p [Pa s]
  using Forcing = models::Forcing<input_count, external_count>;

  explicit PipeVolume(const P& p)
      : ports_(describe_pipe_volume(p, side)),
        leak_(p.frequency_rad_per_s / p.decay),
        friction_(2 * p.pipe_damping_ratio * p.frequency_rad_per_s),
        inverse_inertance_(p.frequency_rad_per_s / p.impedance_pa_s_per_m3),
        inverse_compliance_(p.frequency_rad_per_s * p.impedance_pa_s_per_m3) {}

  Description description() const { return ports_; }
  State initial_state() const { return State::Zero(); }
  State nominal_state() const {
    const double effort = ports_.outputs[is_left ? 0 : 1].nominal;
    return {effort / inverse_compliance_, nominal_flow_m3_per_s / inverse_inertance_};
  }

  State derivatives(const State& x, const Forcing& at) const {
    const double flow_out = is_left ? at.u[0] : at.w[0];
    const double effort_in = is_left ? at.w[0] : at.u[0];
    return {-leak_ * x[0] + inverse_inertance_ * x[1] - flow_out,
            -inverse_compliance_ * x[0] - friction_ * x[1] + effort_in};
  }

  Eigen::Matrix2d jacobian(const State&, const Forcing&) const {
    return Eigen::Matrix2d{{-leak_, inverse_inertance_}, {-inverse_compliance_, -friction_}};
  }

  void outputs(const State& x, const Forcing&, std::span<double> y) const {
    const double effort = inverse_compliance_ * x[0];
    const double flow = inverse_inertance_ * x[1];
    y[is_left ? 0 : 1] = effort;
    y[is_left ? 1 : 0] = flow;
    y[2] = 0.5 * (effort * x[0] + flow * x[1]);
  }

 private:
  Description ports_;
  double leak_, friction_, inverse_inertance_, inverse_compliance_;
};

/// Calls `use` with the native model.
template <class Use>
auto with_model(const P& parameters, PipeVolumeSide side, const Use& use) {
  return side == PipeVolumeSide::left ? use(PipeVolume<PipeVolumeSide::left>(parameters))
                                      : use(PipeVolume<PipeVolumeSide::right>(parameters));
}

}  // namespace

std::span<const Parameter<P>> pipe_volume_parameters() {
  return parameter_table;
}

std::span<const Integrator> pipe_volume_integrators() {
  return integrators;
}

std::vector<ParameterError> check(const P& parameters) {
  return out_of_range<P>(parameters, parameter_table);
}

Description describe_pipe_volume(const P& parameters, PipeVolumeSide side) {
  const bool left = side == PipeVolumeSide::left;
  const double effort = parameters.impedance_pa_s_per_m3 * nominal_flow_m3_per_s;
  const double energy = effort * nominal_flow_m3_per_s / parameters.frequency_rad_per_s;
  const auto output = [](const char* name, const char* unit, double nominal) {
    return OutputPort{.name = name, .unit = unit, .nominal = nominal, .derivative = {}};
  };
  Description ports{.affine = true, .energy_output = 2};
  if (left) {
    ports.inputs = {{.name = "f_2", .unit = "m^3/s"}};
    ports.outputs = {output("e_1", "Pa", effort), output("f_1", "m^3/s", nominal_flow_m3_per_s),
                     output("energy", "J", energy)};
  } else {
    ports.inputs = {{.name = "e_1", .unit = "Pa"}};
    ports.outputs = {output("f_2", "m^3/s", nominal_flow_m3_per_s), output("e_2", "Pa", effort),
                     output("energy", "J", energy)};
    ports.externals = {{.name = "f_3", .unit = "m^3/s"}};
  }
  return ports;
}

std::unique_ptr<Subsystem> make_pipe_volume(const P& parameters, PipeVolumeSide side,
                                            Integrator integrator,
                                            std::optional<double> micro_step_s) {
  return with_model(parameters, side, [&](const auto& model) {
    return make_native(model, integrator, micro_step_s);
  });
}

Dynamics pipe_volume_dynamics(const P& parameters, PipeVolumeSide side) {
  return with_model(parameters, side, [](const auto& model) { return dynamics_of(model); });
}

}  // namespace macrostep::models
