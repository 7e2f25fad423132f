#!/usr/bin/env python3
"""Holds the vectors of the protocol against its JSON Schemas, with a real validator.

    check_schemas.py FOLDER

FOLDER has `schemas` and `vectors`. Needs the module `jsonschema` (Debian: python3-jsonschema);
without it the end is 69. Prints each vector that does not come out as it should, and how many did.
"""
import json
import os
import sys

try:
    from jsonschema import Draft202012Validator
except ImportError:
    sys.stderr.write("error: the Python module jsonschema is not there (python3-jsonschema)\n")
    sys.exit(69)

# What a schema can tell: the shape of values, not how they are written or ordered.
OF_SHAPE = ("wrong_type", "missing_member", "bad_value", "too_long")
# Faults with these codes that no schema can tell: an order of rows is none of its business.
BEYOND = {"rows out of order", "row twice", "groups out of order", "group twice"}


def load(folder):
    schemas = {}
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            schema = json.load(file)
        Draft202012Validator.check_schema(schema)
        if schema["$id"] != name:
            raise SystemExit("%s calls itself %s" % (name, schema["$id"]))
        schemas[name] = schema
    return schemas


def validator(schemas, name):
    """A validator that finds the other schemas by their names."""
    try:
        from referencing import Registry, Resource
    except ImportError:  # jsonschema before 4.18, as in Debian 12
        from jsonschema import RefResolver
        resolver = RefResolver(name, schemas[name], store=schemas)
        return Draft202012Validator(schemas[name], resolver=resolver)
    resources = [(other, Resource.from_contents(schemas[other])) for other in schemas]
    return Draft202012Validator(schemas[name], registry=Registry().with_resources(resources))


def vectors(folder, name):
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file.read().split("\n") if line]


def main(folder):
    schemas = load(os.path.join(folder, "schemas"))
    message = validator(schemas, "message.schema.json")
    body = validator(schemas, "body.schema.json")
    folder = os.path.join(folder, "vectors")
    passed, problems = 0, []

    def hold(name, rule, value, expected):
        nonlocal passed
        error = next(rule.iter_errors(value), None)
        if (error is None) == expected:
            passed += 1
        else:
            problems.append("%s: %s" % (name, error.message[:200] if error else "it validates"))

    for vector in vectors(folder, "valid.ndjson"):
        hold(vector["name"], message, json.loads(vector["line"]), True)
    known = {name.split(".")[0] for name in schemas}
    seen = {json.loads(vector["line"])["type"] for vector in vectors(folder, "valid.ndjson")}
    for kind in sorted(known - seen - {"common", "message", "body"}):
        problems.append("%s: no valid vector" % kind)
    for vector in vectors(folder, "invalid.ndjson"):
        if vector["code"] in OF_SHAPE and vector["name"] not in BEYOND:
            hold(vector["name"], message, json.loads(vector["line"]), False)
    for vector in vectors(folder, "bodies.ndjson"):
        if vector.get("schema", True):
            hold(vector["name"], body, json.loads(vector["body"]), vector["readable"])
    for problem in problems:
        print(problem)
    print("%d as they should, %d not" % (passed, len(problems)))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
