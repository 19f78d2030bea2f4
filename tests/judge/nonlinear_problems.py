"""Problems that are not linear: built-in ones, in families whose parameters are drawn."""

from common import log_uniform

# family: built-in problem
PROBLEM = {
    "end_stops": "nonlinear_oscillator",
    "relief_valve": "relief_valve",
    "pendula": "coupled_pendula",
    "single_crane": "single_actuator_crane",
    "backlash": "nonlinear_oscillator",
    "nonlinear_oscillator": "nonlinear_oscillator",
    "manipulator": "hydraulic_manipulator",
    "double_crane": "double_actuator_crane",
}

# What is drawn of the cranes: masses, end dampers, oil, volumes and valves; no geometry.
CRANE_PARAMETERS = "m m_p m_h k_d c_d rho B_o B_c B_h V_h1 V_h2 V_h3 c d_t C_v f_45".split()


def around(r, model, prefixes, skip=()):
    """Parameters within 50 % of their defaults, as far as they may go."""
    values = {}
    for p in model["parameters"]:
        if not p["path"].startswith(prefixes) or not p["default"]:
            continue
        if p["path"].split(".")[1] not in skip:
            value = p["default"] * r.uniform(0.5, 1.5)
            values[p["path"]] = min(max(value, p["minimum"]), p["maximum"])
    return values


def draw_oscillators(r, family):
    """Two masses: linear but for an end stop or a gap, or with powers as characteristics."""
    contact = family != "nonlinear_oscillator"

    def characteristic(k, c):
        return {
            k: log_uniform(r, 10, 1000),
            c: log_uniform(r, 0.5, 10) if contact else log_uniform(r, 0.05, 2),
        }

    def exponents(part):
        return {
            part + ".n_s": 1 if contact else r.uniform(0.5, 2),
            part + ".n_d": 1 if contact else r.uniform(1, 2),
        }

    p = {**characteristic("coupling.k_c", "coupling.c_c"), **exponents("coupling")}
    for m in ("m1", "m2"):
        p[m + ".m"] = log_uniform(r, 0.3, 3)
        p.update(characteristic(m + ".k", m + ".c"))
        p.update(exponents(m))
        p[m + ".v0"] = r.uniform(-5, 5) if contact else r.uniform(-20, 20)
    if family == "end_stops":
        for m in ("m1", "m2")[: r.choice([1, 2])]:
            p[m + ".x_stop"] = log_uniform(r, 0.1, 1)
            p[m + ".k_stop"] = log_uniform(r, 3e3, 1e5)
            p[m + ".lambda_stop"] = log_uniform(r, 0.01, 0.3)
    if family == "backlash":
        p["coupling.gap"] = log_uniform(r, 0.02, 0.5)
    return p


def draw_relief_valve(r, model):
    """Opens at 1.1 to 1.8 times the pressure of the load."""
    p = around(r, model, ("mechanics.", "hydraulics."), ("p_open", "p_full"))
    p["hydraulics.p_open"] = p["mechanics.p_0"] * r.uniform(1.1, 1.8)
    p["hydraulics.p_full"] = p["hydraulics.p_open"] * r.uniform(1.01, 1.1)
    return p


def draw_pendula(r):
    p = {}
    for m in ("m1", "m2"):
        p[m + ".m"] = log_uniform(r, 0.3, 3)
        p[m + ".l"] = r.uniform(1, 3)
        p[m + ".theta"] = r.uniform(-1, 1)
    p["coupling.k_c"] = log_uniform(r, 3, 300)
    p["coupling.c_c"] = log_uniform(r, 0.03, 3)
    return p


def draw_crane(r, model):
    values = around(r, model, ("mechanics.", "hydraulics."))
    return {path: v for path, v in values.items() if path.split(".")[1] in CRANE_PARAMETERS}


def draw(r, family, model):
    """The job; `model` is the entry of the problem in `macrostep models --json`."""
    job = {"problem": PROBLEM[family]}
    if family in ("end_stops", "backlash", "nonlinear_oscillator"):
        p = draw_oscillators(r, family)
        if family != "nonlinear_oscillator" and r.random() < 0.5:
            job["search"] = {"integrators": {"m1": ["rk4"], "m2": ["rk4"]}}
            job["micro_steps"] = {"m1": 2e-4, "m2": 2e-4}
    elif family == "relief_valve":
        p = draw_relief_valve(r, model)
    elif family == "pendula":
        p = draw_pendula(r)
    elif family == "manipulator":
        p = around(r, model, ("mechanics.m", "hydraulics."), ("p_P", "p_T", "l", "b"))
    else:
        p = draw_crane(r, model)
    return {**job, "parameters": p, "name": family}
