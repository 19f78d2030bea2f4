#include "models/integrators/cvode_solver.hpp"

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_config.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "models/subsystem/ensure.hpp"

#if SUNDIALS_VERSION_MAJOR >= 7 && SUNDIALS_MPI_ENABLED
// SUNDIALS made with MPI, as in Debian 13, calls nothing of it for a context without communicator.
// What SUNDIALS' archives name of MPI all the same is here: neither the program nor exported FMUs
// then load a library of MPI.
struct ompi_predefined_communicator_t {};
extern "C" {
ompi_predefined_communicator_t ompi_mpi_comm_null{};
int MPI_Comm_dup(MPI_Comm, MPI_Comm*) {
  std::abort();
}
int MPI_Comm_free(MPI_Comm*) {
  std::abort();
}
int MPI_Comm_rank(MPI_Comm, int*) {
  std::abort();
}
}
#endif

namespace macrostep::models {

namespace {

constexpr double never_s = 1e300;

// SUNDIALS 7 has a communicator type of its own and replaced the error file by handlers.
#if SUNDIALS_VERSION_MAJOR >= 7
SUNContext make_context() {
  SUNContext context = nullptr;
  if (SUNContext_Create(SUN_COMM_NULL, &context) == 0) {
    SUNContext_ClearErrHandlers(context);
  }
  return context;
}
void silence(void*) {}
#else
SUNContext make_context() {
  SUNContext context = nullptr;
  SUNContext_Create(nullptr, &context);
  return context;
}
void silence(void* cvode) {
  CVodeSetErrFile(cvode, nullptr);
}
#endif

void require(bool condition, const char* what) {
  if (!condition) {
    throw std::runtime_error(std::string("CVODE: ") + what);
  }
}

std::span<const double> values(N_Vector vector) {
  return {N_VGetArrayPointer(vector), static_cast<std::size_t>(N_VGetLength(vector))};
}

std::span<double> mutable_values(N_Vector vector) {
  return {N_VGetArrayPointer(vector), static_cast<std::size_t>(N_VGetLength(vector))};
}

constexpr int recoverable = 1;  // CVODE tries a smaller step

}  // namespace

/// What CVODE made, freed in the opposite order, and what its callbacks use.
struct CvodeSolver::Workspace {
  Function function;
  Jacobian jacobian;
  Roots roots;
  std::size_t root_count = 0;
  std::int64_t rhs_evaluations = 0;
  std::optional<double> limit_s;

  SUNContext context = nullptr;
  N_Vector x = nullptr;
  N_Vector tolerance = nullptr;
  SUNMatrix matrix = nullptr;
  SUNLinearSolver linear_solver = nullptr;
  SUNNonlinearSolver fixed_point = nullptr;
  void* cvode = nullptr;

  ~Workspace() {
    CVodeFree(&cvode);
    if (fixed_point != nullptr) SUNNonlinSolFree(fixed_point);
    if (linear_solver != nullptr) SUNLinSolFree(linear_solver);
    if (matrix != nullptr) SUNMatDestroy(matrix);
    if (tolerance != nullptr) N_VDestroy(tolerance);
    if (x != nullptr) N_VDestroy(x);
    if (context != nullptr) SUNContext_Free(&context);
  }

  static int evaluate(double time_s, N_Vector state, N_Vector rate, void* self) {
    auto& workspace = *static_cast<Workspace*>(self);
    ++workspace.rhs_evaluations;
    const auto result = mutable_values(rate);
    workspace.function(time_s, values(state), result);
    const bool finite = std::all_of(result.begin(), result.end(),
                                    [](double value) { return std::isfinite(value); });
    return finite ? 0 : recoverable;
  }

  static int evaluate_roots(double time_s, N_Vector state, double* found, void* self) {
    const auto& workspace = *static_cast<Workspace*>(self);
    workspace.roots(time_s, values(state), {found, workspace.root_count});
    return 0;
  }

  static int evaluate_jacobian(double time_s, N_Vector state, N_Vector, SUNMatrix entries,
                               void* self, N_Vector, N_Vector, N_Vector) {
    const auto size = static_cast<std::size_t>(SUNDenseMatrix_LData(entries));
    static_cast<Workspace*>(self)->jacobian(time_s, values(state),
                                            {SUNDenseMatrix_Data(entries), size});
    return 0;
  }
};

std::string_view cvode_version() {
  return SUNDIALS_VERSION;
}

CvodeSolver::CvodeSolver(Function function, std::size_t states, const CvodeSettings& settings,
                         Jacobian jacobian)
    : workspace_(std::make_unique<Workspace>()) {
  auto& w = *workspace_;
  w.function = std::move(function);
  w.jacobian = std::move(jacobian);
  require(states > 0 && settings.absolute_tolerance.size() == states,
          "every state needs an absolute tolerance");

  const bool bdf = settings.method == CvodeMethod::bdf;
  const auto size = static_cast<sunindextype>(states);
  w.context = make_context();
  require(w.context != nullptr, "no context");
  w.x = N_VNew_Serial(size, w.context);
  w.tolerance = N_VNew_Serial(size, w.context);
  w.cvode = CVodeCreate(bdf ? CV_BDF : CV_ADAMS, w.context);
  require(w.x != nullptr && w.tolerance != nullptr && w.cvode != nullptr, "no memory");
  silence(w.cvode);
  N_VConst(0, w.x);
  std::ranges::copy(settings.absolute_tolerance, mutable_values(w.tolerance).begin());

  require(CVodeInit(w.cvode, &Workspace::evaluate, 0, w.x) == CV_SUCCESS, "no start");
  require(CVodeSetUserData(w.cvode, &w) == CV_SUCCESS, "no user data");
  require(CVodeSVtolerances(w.cvode, settings.relative_tolerance, w.tolerance) == CV_SUCCESS,
          "tolerances must not be negative");
  require(CVodeSetMaxNumSteps(w.cvode, settings.max_steps_per_advance) == CV_SUCCESS, "no steps");
  CVodeSetMaxHnilWarns(w.cvode, -1);
  if (!bdf) {
    w.fixed_point = SUNNonlinSol_FixedPoint(w.x, 0, w.context);
    require(
        w.fixed_point != nullptr && CVodeSetNonlinearSolver(w.cvode, w.fixed_point) == CV_SUCCESS,
        "no fixed-point solver");
    return;
  }
  w.matrix = SUNDenseMatrix(size, size, w.context);
  w.linear_solver = SUNLinSol_Dense(w.x, w.matrix, w.context);
  require(w.linear_solver != nullptr &&
              CVodeSetLinearSolver(w.cvode, w.linear_solver, w.matrix) == CV_SUCCESS,
          "no linear solver");
  if (w.jacobian) {
    require(CVodeSetJacFn(w.cvode, &Workspace::evaluate_jacobian) == CV_SUCCESS, "no Jacobian");
  }
}

CvodeSolver::~CvodeSolver() = default;

void CvodeSolver::restart(double time_s, std::span<const double> x, double first_step_s) {
  auto& w = *workspace_;
  const auto state = mutable_values(w.x);
  ensure(x.size() == state.size(), "CVODE restarts with all states");
  std::ranges::copy(x, state.begin());
  w.limit_s.reset();
  ensure(CVodeReInit(w.cvode, time_s, w.x) == CV_SUCCESS, "CVODE restarts");
  ensure(CVodeSetInitStep(w.cvode, first_step_s) == CV_SUCCESS, "CVODE takes a first step");
}

void CvodeSolver::set_limit(double time_s) {
  workspace_->limit_s = time_s;
}

bool CvodeSolver::advance_to(double time_s, std::span<double> x) {
  auto& w = *workspace_;
  const double limit_s = std::max(time_s, w.limit_s.value_or(time_s));
  // A stop time stays set until the next one, also over restart(): one that lies behind is an
  // error.
  if (CVodeSetStopTime(w.cvode, std::min(limit_s, never_s)) != CV_SUCCESS) {
    return false;
  }
  double reached_s = 0;
  const int status = CVode(w.cvode, time_s, w.x, &reached_s, CV_NORMAL);
  if (status != CV_SUCCESS && status != CV_TSTOP_RETURN) {
    return false;
  }
  std::ranges::copy(values(w.x), x.begin());
  return true;
}

void CvodeSolver::find_roots(std::size_t count, Roots roots) {
  auto& w = *workspace_;
  w.roots = std::move(roots);
  w.root_count = count;
  require(CVodeRootInit(w.cvode, static_cast<int>(count), &Workspace::evaluate_roots) == CV_SUCCESS,
          "no root finding");
  require(CVodeSetNoInactiveRootWarn(w.cvode) == CV_SUCCESS, "no silence");
}

std::optional<CvodeSolver::StepEnd> CvodeSolver::step_towards(double time_s, std::span<double> x) {
  auto& w = *workspace_;
  if (CVodeSetStopTime(w.cvode, std::min(time_s, never_s)) != CV_SUCCESS) {
    return std::nullopt;
  }
  StepEnd end;
  const int status = CVode(w.cvode, time_s, w.x, &end.time_s, CV_ONE_STEP);
  if (status != CV_SUCCESS && status != CV_TSTOP_RETURN && status != CV_ROOT_RETURN) {
    return std::nullopt;
  }
  end.root = status == CV_ROOT_RETURN;
  if (status == CV_TSTOP_RETURN) {
    end.time_s = time_s;  // reached but for rounding
  }
  std::ranges::copy(values(w.x), x.begin());
  return end;
}

double CvodeSolver::first_step_s() const {
  double step_s = 0;
  CVodeGetActualInitStep(workspace_->cvode, &step_s);
  return step_s;
}

std::int64_t CvodeSolver::rhs_evaluations() const {
  return workspace_->rhs_evaluations;
}

}  // namespace macrostep::models
