/* A linear unit as an FMU of FMI 2.0 for co-simulation, with an inexact solver as FMUs of tools
   have it: Dormand-Prince 5(4) with step-size control. make_fmu.py writes model.h: NX, NU, NY, the
   matrices A, B, C, D, the tolerances TOL and ATOL, STATES (whether states can be restored), GUID.
   The declarations are those of the published interface, written out. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"

typedef void* fmi2Component;
typedef void* fmi2FMUstate;
typedef unsigned int fmi2ValueReference;
typedef double fmi2Real;
typedef int fmi2Integer;
typedef int fmi2Boolean;
typedef const char* fmi2String;
typedef char fmi2Byte;
typedef enum { fmi2OK, fmi2Warning, fmi2Discard, fmi2Error, fmi2Fatal, fmi2Pending } fmi2Status;

enum { CO_SIMULATION = 1, LAST_SUCCESSFUL_TIME = 2, FIRST_INPUT = 1, FIRST_OUTPUT = 101 };
enum { LARGEST_DERIVATIVE = 4, LARGEST_TRIES = 1000000 };

typedef struct {
  double t, step, x[NX], u[NU], du[NU][LARGEST_DERIVATIVE];
} Unit;

/* --- the solver */

static void inputs(const Unit* s, double tau, double* u) {
  for (int i = 0; i < NU; ++i) {
    const double* d = s->du[i];
    u[i] = s->u[i] + tau * (d[0] + tau * (d[1] / 2 + tau * (d[2] / 6 + tau * d[3] / 24)));
  }
}

static void slope(const Unit* s, double tau, const double* x, double* dx) {
  double u[NU];
  inputs(s, tau, u);
  for (int i = 0; i < NX; ++i) {
    double v = 0;
    for (int j = 0; j < NX; ++j) v += A[i][j] * x[j];
    for (int j = 0; j < NU; ++j) v += B[i][j] * u[j];
    dx[i] = v;
  }
}

/* One attempt: x at tau + dt, which is the argument of the last stage, and the error over what is
   tolerated. */
static double attempt(const Unit* s, double tau, double dt, double x[NX]) {
  static const double c[7] = {0, 1. / 5, 3. / 10, 4. / 5, 8. / 9, 1, 1};
  static const double a[7][6] = {
      {0},
      {1. / 5},
      {3. / 40, 9. / 40},
      {44. / 45, -56. / 15, 32. / 9},
      {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
      {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
      {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84}};
  static const double e[7] = {71. / 57600,      0,         -71. / 16695, 71. / 1920,
                              -17253. / 339200, 22. / 525, -1. / 40};
  double k[7][NX];
  for (int stage = 0; stage < 7; ++stage) {
    for (int i = 0; i < NX; ++i) {
      x[i] = s->x[i];
      for (int l = 0; l < stage; ++l) x[i] += dt * a[stage][l] * k[l][i];
    }
    slope(s, tau + c[stage] * dt, x, k[stage]);
  }
  double worst = 0;
  for (int i = 0; i < NX; ++i) {
    double err = 0;
    for (int l = 0; l < 7; ++l) err += dt * e[l] * k[l][i];
    const double size = fmax(fabs(s->x[i]), fabs(x[i]));
    worst = fmax(worst, fabs(err) / (ATOL[i] + TOL * size));
  }
  return worst;
}

static int integrate(Unit* s, double h) {
  double tau = 0, step = s->step > 0 ? s->step : h;
  for (long tries = 0; tau < h; ++tries) {
    if (tries > LARGEST_TRIES) return 0;
    const int last = tau + step * (1 + 1e-12) >= h;
    const double dt = last ? h - tau : step;
    double x[NX];
    const double worst = attempt(s, tau, dt, x);
    if (!isfinite(worst)) {
      if (dt < 1e-14) return 0;
      step = dt * 0.1;
      continue;
    }
    if (worst > 1) {
      step = dt * fmax(0.2, 0.9 * pow(worst, -0.2));
      continue;
    }
    memcpy(s->x, x, sizeof x);
    tau = last ? h : tau + dt;
    const double grown = dt * fmin(5, 0.9 * pow(fmax(worst, 1e-10), -0.2));
    /* A step that the end has cut off tells little. */
    if (!last || grown > step || worst > 0.5) step = grown;
  }
  s->step = step;
  double u[NU];
  inputs(s, h, u);
  memcpy(s->u, u, sizeof u);
  memset(s->du, 0, sizeof s->du);
  s->t += h;
  return 1;
}

/* --- the interface, as far as it does something */

#define API __attribute__((visibility("default")))
#define REFERENCES const fmi2ValueReference vr[], size_t n

API const char* fmi2GetTypesPlatform(void) {
  return "default";
}

API const char* fmi2GetVersion(void) {
  return "2.0";
}

API fmi2Component fmi2Instantiate(fmi2String name, int type, fmi2String guid, fmi2String resources,
                                  const void* callbacks, fmi2Boolean visible, fmi2Boolean logging) {
  if (type != CO_SIMULATION || !guid || strcmp(guid, GUID)) return NULL;
  return calloc(1, sizeof(Unit));
}

API void fmi2FreeInstance(fmi2Component c) {
  free(c);
}

API fmi2Status fmi2Reset(fmi2Component c) {
  memset(c, 0, sizeof(Unit));
  return fmi2OK;
}

API fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean tolerance_defined,
                                   fmi2Real tolerance, fmi2Real start, fmi2Boolean stop_defined,
                                   fmi2Real stop) {
  ((Unit*)c)->t = start;
  return fmi2OK;
}

API fmi2Status fmi2GetReal(fmi2Component c, REFERENCES, fmi2Real v[]) {
  const Unit* s = c;
  for (size_t k = 0; k < n; ++k) {
    if (vr[k] >= FIRST_INPUT && vr[k] < FIRST_INPUT + NU) {
      v[k] = s->u[vr[k] - FIRST_INPUT];
    } else if (vr[k] >= FIRST_OUTPUT && vr[k] < FIRST_OUTPUT + NY) {
      const int i = (int)vr[k] - FIRST_OUTPUT;
      double y = 0;
      for (int j = 0; j < NX; ++j) y += C[i][j] * s->x[j];
      for (int j = 0; j < NU; ++j) y += D[i][j] * s->u[j];
      v[k] = y;
    } else {
      return fmi2Error;
    }
  }
  return fmi2OK;
}

API fmi2Status fmi2SetReal(fmi2Component c, REFERENCES, const fmi2Real v[]) {
  Unit* s = c;
  for (size_t k = 0; k < n; ++k) {
    if (vr[k] < FIRST_INPUT || vr[k] >= FIRST_INPUT + NU) return fmi2Error;
    s->u[vr[k] - FIRST_INPUT] = v[k];
    memset(s->du[vr[k] - FIRST_INPUT], 0, sizeof s->du[0]);
  }
  return fmi2OK;
}

API fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, REFERENCES, const fmi2Integer order[],
                                           const fmi2Real v[]) {
  Unit* s = c;
  for (size_t k = 0; k < n; ++k) {
    if (vr[k] < FIRST_INPUT || vr[k] >= FIRST_INPUT + NU) return fmi2Error;
    if (order[k] < 1 || order[k] > LARGEST_DERIVATIVE) return fmi2Error;
    s->du[vr[k] - FIRST_INPUT][order[k] - 1] = v[k];
  }
  return fmi2OK;
}

API fmi2Status fmi2DoStep(fmi2Component c, fmi2Real t, fmi2Real h, fmi2Boolean keep) {
  return h > 0 && integrate(c, h) ? fmi2OK : fmi2Error;
}

API fmi2Status fmi2GetRealStatus(fmi2Component c, int kind, fmi2Real* v) {
  if (kind != LAST_SUCCESSFUL_TIME) return fmi2Discard;
  *v = ((Unit*)c)->t;
  return fmi2OK;
}

API fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate* f) {
  if (!STATES) return fmi2Error;
  if (!*f) *f = malloc(sizeof(Unit));
  if (!*f) return fmi2Error;
  memcpy(*f, c, sizeof(Unit));
  return fmi2OK;
}

API fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate f) {
  if (!STATES || !f) return fmi2Error;
  memcpy(c, f, sizeof(Unit));
  return fmi2OK;
}

API fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate* f) {
  free(*f);
  *f = NULL;
  return fmi2OK;
}

/* --- functions that must be there and do nothing */

API fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t n,
                                   const fmi2String categories[]) {
  return fmi2OK;
}

API fmi2Status fmi2EnterInitializationMode(fmi2Component c) {
  return fmi2OK;
}

API fmi2Status fmi2ExitInitializationMode(fmi2Component c) {
  return fmi2OK;
}

API fmi2Status fmi2Terminate(fmi2Component c) {
  return fmi2OK;
}

API fmi2Status fmi2CancelStep(fmi2Component c) {
  return fmi2Error;
}

API fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, REFERENCES, const fmi2Integer order[],
                                            fmi2Real v[]) {
  return fmi2Error;
}

API fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate f, size_t* n) {
  return fmi2Error;
}

API fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate f, fmi2Byte b[], size_t n) {
  return fmi2Error;
}

API fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte b[], size_t n,
                                       fmi2FMUstate* f) {
  return fmi2Error;
}

API fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference unknown[],
                                            size_t n_unknown, const fmi2ValueReference known[],
                                            size_t n_known, const fmi2Real known_delta[],
                                            fmi2Real unknown_delta[]) {
  return fmi2Error;
}

#define NO_STATUS(name, type)                                        \
  API fmi2Status fmi2Get##name(fmi2Component c, int kind, type* v) { \
    return fmi2Discard;                                              \
  }
NO_STATUS(Status, fmi2Status)
NO_STATUS(IntegerStatus, fmi2Integer)
NO_STATUS(BooleanStatus, fmi2Boolean)
NO_STATUS(StringStatus, fmi2String)

#define NO_VARIABLES(name, type)                                              \
  API fmi2Status fmi2Get##name(fmi2Component c, REFERENCES, type v[]) {       \
    return n ? fmi2Error : fmi2OK;                                            \
  }                                                                           \
  API fmi2Status fmi2Set##name(fmi2Component c, REFERENCES, const type v[]) { \
    return n ? fmi2Error : fmi2OK;                                            \
  }
NO_VARIABLES(Integer, fmi2Integer)
NO_VARIABLES(Boolean, fmi2Boolean)
NO_VARIABLES(String, fmi2String)
