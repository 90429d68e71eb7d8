"""Prints the public API of one module, from the folder of its symbol graphs: every type, its members indented below.

One line a declaration, in an order that does not depend on where it stands in the sources, so that a difference
between two dumps is a difference between two APIs.
"""

import json
import pathlib
import sys

# Every type has these unless it says otherwise; listing them would say nothing.
IMPLIED = {"Copyable", "Escapable", "SendableMetatype"}
TYPES = {"swift.struct", "swift.class", "swift.enum", "swift.protocol"}


def spelled(symbol, name=None):
    """The declaration on one line, with another name if one is given."""
    parts = [part["spelling"] for part in symbol["declarationFragments"]]
    kinds = [part["kind"] for part in symbol["declarationFragments"]]
    if name and "identifier" in kinds:
        parts[kinds.index("identifier")] = name
    text = " ".join("".join(parts).split())
    return "open " + text if symbol["accessLevel"] == "open" else text


def heading(symbol, conformances):
    """The line of a type: by its full name, with all that it conforms to, wherever an extension says so."""
    text, _, constraints = spelled(symbol, ".".join(symbol["pathComponents"])).partition(" where ")
    declared = ""
    if symbol["kind"]["identifier"] == "swift.protocol":
        text, _, declared = text.partition(" : ")
    inherited = (conformances | set(filter(None, declared.split(", ")))) - IMPLIED
    text += ": " + ", ".join(sorted(inherited)) if inherited else ""
    return text + " where " + constraints if constraints else text


def line(symbol, is_default):
    """The line of anything else."""
    text = spelled(symbol)
    constraints = symbol.get("swiftExtension", {}).get("constraints", [])
    if constraints and " where " not in text:
        signs = {"sameType": " == ", "conformance": " : ", "superclass": " : "}
        text += " where " + ", ".join(c["lhs"] + signs.get(c["kind"], " ") + c["rhs"] for c in constraints)
    if is_default:
        text += "  // default"
    if any(a.get("isUnconditionallyDeprecated") for a in symbol.get("availability", [])):
        text += "  // deprecated"
    return text


def dump(folder):
    symbols, conformances, defaults = {}, {}, set()
    graphs = [json.loads(path.read_text()) for path in sorted(folder.glob("*.symbols.json"))]
    for graph in graphs:
        for symbol in graph["symbols"]:
            # What the compiler derives (init(from:), ==, allCases …) has no place in the sources; the conformance says it.
            if "location" in symbol:
                symbols[symbol["identifier"]["precise"]] = symbol
    for graph in graphs:
        for relation in graph["relationships"]:
            if relation["kind"] == "defaultImplementationOf":
                defaults.add(relation["source"])
            elif relation["kind"] in ("conformsTo", "inheritsFrom"):
                if relation["target"] in symbols:
                    name = ".".join(symbols[relation["target"]]["pathComponents"])
                elif "targetFallback" in relation:
                    name = relation["targetFallback"].split(".", 1)[-1]    # Module.Name
                else:
                    continue
                conformances.setdefault(relation["source"], set()).add(name)

    headings, members = {}, {}
    for precise, symbol in symbols.items():
        path = tuple(symbol["pathComponents"])
        if symbol["kind"]["identifier"] in TYPES:
            headings[path] = heading(symbol, conformances.get(precise, set()))
            continue
        text = line(symbol, is_default=precise in defaults)
        if len(path) == 1:
            headings[path + (text,)] = text
        else:
            members.setdefault(path[:-1], set()).add((path[-1], text))
    for path in members:
        # A type of another module that this one extends.
        headings.setdefault(path, "extension " + ".".join(path))

    for path in sorted(headings):
        yield headings[path]
        for _, text in sorted(members.get(path, ())):
            yield "    " + text


if __name__ == "__main__":
    print("\n".join(dump(pathlib.Path(sys.argv[1]))))
