"""Compiles a linear unit as an FMU of FMI 2.0 for co-simulation: unit.c with its matrices."""

import hashlib
import os
import subprocess
import tempfile
import zipfile

import numpy as np

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "unit.c")
STATE_SIZE = 0.01  # what a force of 10 N moves, roughly
FIRST_OUTPUT = 101  # its value reference; that of the first input is 1


def braces(m):
    return "{" + ",".join(braces(r) if np.ndim(r) else repr(float(r)) for r in m) + "}"


def model_header(name, matrices, tolerance, states):
    """(guid, text of model.h)"""
    a, b, c, d = matrices
    absolute = [tolerance * 1e-3 * STATE_SIZE] * len(a)
    header = (
        f"enum {{ NX = {len(a)}, NU = {b.shape[1]}, NY = {len(c)}, STATES = {int(states)} }};\n"
        f"static const double TOL = {tolerance!r};\n"
        f"static const double A[NX][NX] = {braces(a)};\n"
        f"static const double B[NX][NU] = {braces(b)};\n"
        f"static const double C[NY][NX] = {braces(c)};\n"
        f"static const double D[NY][NU] = {braces(d)};\n"
        f"static const double ATOL[NX] = {braces(absolute)};\n"
    )
    guid = hashlib.sha256((header + name).encode()).hexdigest()[:32]
    return guid, header + f'#define GUID "{guid}"\n'


def variable(name, reference, causality, more, real):
    return (
        f'<ScalarVariable name="{name}" valueReference="{reference}" causality="{causality}" '
        f'variability="continuous"{more}><Real {real}/></ScalarVariable>'
    )


def description(name, guid, ports, d, nominal, tolerance, states):
    """The text of modelDescription.xml."""
    inputs, outputs = ports
    variables = [variable(n, k + 1, "input", "", 'start="0"') for k, n in enumerate(inputs)]
    unknowns, initial = [], []
    for k, (output, size) in enumerate(zip(outputs, nominal)):
        index = len(inputs) + k + 1
        more = ' initial="calculated"'
        real = f'nominal="{size!r}"'
        variables.append(variable(output, FIRST_OUTPUT + k, "output", more, real))
        through = " ".join(str(j + 1) for j in range(len(inputs)) if d[k, j] != 0)
        unknowns.append(f'<Unknown index="{index}" dependencies="{through}"/>')
        initial.append(f'<Unknown index="{index}"/>')
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<fmiModelDescription fmiVersion="2.0" modelName="{name}" guid="{guid}" '
        'generationTool="judge" variableNamingConvention="flat" numberOfEventIndicators="0">'
        f'<CoSimulation modelIdentifier="{name}" canHandleVariableCommunicationStepSize="true" '
        'canInterpolateInputs="true" maxOutputDerivativeOrder="0" '
        f'canGetAndSetFMUstate="{str(states).lower()}"/>'
        f'<DefaultExperiment startTime="0" stopTime="1" tolerance="{tolerance!r}"/>'
        f'<ModelVariables>{"".join(variables)}</ModelVariables>'
        f'<ModelStructure><Outputs>{"".join(unknowns)}</Outputs>'
        f'<InitialUnknowns>{"".join(initial)}</InitialUnknowns></ModelStructure>'
        "</fmiModelDescription>\n"
    )


def make_fmu(path, name, unit, ports, nominal, tolerance, states):
    """Writes the FMU to `path`.

    unit       (A, B, C, D)
    ports      names of (inputs, outputs)
    nominal    usual sizes of the outputs
    tolerance  of the solver: relative, and a thousandth of it times the usual size of a state
    states     whether it can restore its state
    """
    matrices = [np.atleast_2d(np.array(m, float)) for m in unit]
    guid, header = model_header(name, matrices, tolerance, states)
    with tempfile.TemporaryDirectory(dir=os.path.dirname(path)) as folder:
        library = os.path.join(folder, name + ".so")
        with open(os.path.join(folder, "model.h"), "w") as file:
            file.write(header)
        command = ["gcc", "-O2", "-shared", "-fPIC", "-fvisibility=hidden", "-I", folder]
        subprocess.run(command + [SOURCE, "-o", library, "-lm"], check=True, timeout=60)
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            text = description(name, guid, ports, matrices[3], nominal, tolerance, states)
            archive.writestr("modelDescription.xml", text)
            archive.write(library, f"binaries/linux64/{name}.so")
