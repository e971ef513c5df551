"""Checks the manifests of docs/operate.md: that they can be read, and that size and number of members come from one value.

usage: check.py PAGE ALERTS: writes the alerting rules of the page to ALERTS, for promtool."""

import pathlib
import re
import sys

import yaml

MEMBERS = 7  # the value that the templates are filled with


def blocks(page, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)


def fill(template):
    """What Helm makes of the forms that the page uses, without replicas among its values; anything else is left, and then is no YAML."""
    template = template.replace("{{ .Values.members | quote }}", f'"{MEMBERS}"')
    template = template.replace("{{ .Values.replicas | default .Values.members }}", str(MEMBERS))
    return template.replace("{{ .Values.members }}", str(MEMBERS))


def check(good, what):
    if not good:
        sys.exit(f"docs/operate.md: {what}")


def environment(container):
    return {entry["name"]: entry for entry in container["env"]}


def kubernetes(manifest):
    kind, spec = manifest["kind"], manifest["spec"]
    pod = spec["template"]["spec"]
    env = environment(pod["containers"][0])
    check(env["SLOTKEY_GROUP_SIZE"]["value"] == str(MEMBERS), f"{kind}: the size is not the one value, or no string")
    check("fieldRef" in env["SLOTKEY_GROUP_INDEX"]["valueFrom"], f"{kind}: the index is not from the pod")
    if kind == "StatefulSet":
        check(manifest["apiVersion"] == "apps/v1" and spec["replicas"] == MEMBERS, "StatefulSet: version, or replicas")
        check("updateStrategy" not in spec, "StatefulSet: an apply undoes the updateStrategy that docs/resize.md patches")
        check(spec["selector"]["matchLabels"] == spec["template"]["metadata"]["labels"], "StatefulSet: the selector does not fit")
    else:
        check(manifest["apiVersion"] == "batch/v1" and kind == "Job", f"{kind} is not expected")
        check(spec["completions"] == spec["parallelism"] == MEMBERS, "Job: completions, or parallelism")
        check(pod["restartPolicy"] in ("OnFailure", "Never"), "Job: restartPolicy")
    return kind


def swarm(manifest):
    worker = manifest["services"]["worker"]
    check(worker["deploy"]["replicas"] == worker["environment"]["SLOTKEY_GROUP_SIZE"], "Swarm: size and replicas differ")
    check(worker["environment"]["TASK_SLOT"] == "{{.Task.Slot}}", "Swarm: the task's slot")
    return "Swarm"


def compose(manifest):
    places = [service["environment"] for service in manifest["services"].values()]
    check({p["SLOTKEY_GROUP_SIZE"] for p in places} == {len(places)}, "Compose: the size is not the number of services")
    check(sorted(p["SLOTKEY_GROUP_INDEX"] for p in places) == list(range(len(places))), "Compose: indexes")
    return "Compose"


def main(page_name, alerts_name):
    page = pathlib.Path(page_name).read_text(encoding="utf-8")
    seen = []
    for block in blocks(page, "yaml"):
        document = yaml.safe_load(fill(block))
        if "groups" in document:
            pathlib.Path(alerts_name).write_text(block, encoding="utf-8")
            seen.append("alerts")
        elif "kind" in document:
            seen.append(kubernetes(document))
        else:
            seen.append(swarm(document) if "worker" in document["services"] else compose(document))
    check(sorted(seen) == ["Compose", "Job", "StatefulSet", "Swarm", "alerts"], f"found {seen}")
    print(f"note: manifests checked: {', '.join(seen)}")


main(*sys.argv[1:])
