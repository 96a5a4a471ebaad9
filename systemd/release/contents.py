"""What the Debian package contains: files, libraries, and the bill of materials."""

import io
import re
import subprocess
import tarfile
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from email.message import Message
from email.parser import Parser
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

from cyclonedx.factory.license import LicenseFactory
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentScope, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL

LIBRARIES = "usr/lib/pachisi-referee/"
COPYRIGHT = "usr/share/doc/pachisi-referee/copyright"
OUR_LICENCE = "Apache-2.0"
LICENCE_NAMES = ("license", "licence", "copying", "notice", "authors")
SPDX = {"Expat": "MIT", "PSF-2": "PSF-2.0"}  # Debian's names of licences that differ from SPDX's


def read_package(deb: Path) -> dict[str, bytes]:
    """Return the files of a Debian package by their path."""
    packed = subprocess.run(
        ["dpkg-deb", "--fsys-tarfile", deb], capture_output=True, check=True
    ).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        files = {member.name: archive.extractfile(member) for member in archive if member.isfile()}
        return {name.removeprefix("./"): file.read() for name, file in files.items() if file}


def select_licences(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the package's file of copyrights, and the licence files of its libraries."""
    libraries = {
        name.removeprefix(LIBRARIES): content
        for name, content in files.items()
        if ".dist-info/" in name and Path(name).name.lower().startswith(LICENCE_NAMES)
    }
    return {"copyright": files[COPYRIGHT], **libraries}


def list_libraries(files: Mapping[str, bytes]) -> list[Message]:
    """Return the metadata of each Python distribution in the package, in the order of the names."""
    found = (
        Parser().parsestr(content.decode("utf-8"))
        for name, content in files.items()
        if name.startswith(LIBRARIES) and name.endswith(".dist-info/METADATA")
    )
    return sorted(found, key=lambda metadata: metadata["Name"])


def licences_by_library(copyright: str) -> dict[str, str]:
    """Return the licence of each library that Debian's file of copyrights names, as in SPDX."""
    found = re.findall(r"^License: (.*)\nComment: This is (\S+),", copyright, re.MULTILINE)
    return {library: SPDX.get(licence, licence) for licence, library in found}


def bill_of_materials(files: Mapping[str, bytes], control: str, unix_time: int) -> str:
    """Return what is in the package, and what it needs, as CycloneDX in JSON.

    control: the fields of the package, as `dpkg-deb --field` prints them.
    """
    fields = Parser().parsestr(control)
    licences = {**licences_by_library(files[COPYRIGHT].decode()), fields["Package"]: OUR_LICENCE}
    parts = []
    for one in list_libraries(files):
        name = re.sub(r"[-_.]+", "-", one["Name"]).lower()
        parts.append(library_component(name, one["Version"], licences[name]))
    [root] = (part for part in parts if part.name == fields["Package"])
    parts.remove(root)
    parts += debian_components(fields["Depends"], ComponentScope.REQUIRED)
    parts += debian_components(fields["Recommends"], ComponentScope.OPTIONAL)
    bom = Bom()
    bom.serial_number = uuid5(NAMESPACE_URL, f"{root.bom_ref} {unix_time}")
    bom.metadata.timestamp = datetime.fromtimestamp(unix_time, UTC)
    root.type = ComponentType.APPLICATION
    bom.metadata.component = root
    for part in parts:
        bom.components.add(part)
        bom.register_dependency(part)
    bom.register_dependency(root, parts)
    return f"{JsonV1Dot6(bom).output_as_string(indent=2)}\n"


def library_component(name: str, version: str, licence: str) -> Component:
    """Return a library of PyPI as a part of the bill."""
    url = PackageURL("pypi", name=name, version=version)
    return Component(
        name=name,
        version=version,
        type=ComponentType.LIBRARY,
        licenses=[LicenseFactory().make_from_string(licence)],
        purl=url,
        bom_ref=str(url),
    )


def debian_components(depends: str, scope: ComponentScope) -> Iterable[Component]:
    """Yield the first choice of each entry of a field such as `Depends`, without versions."""
    for name in sorted({part.split()[0].partition(":")[0] for part in depends.split(",")}):
        url = PackageURL("deb", "debian", name)
        yield Component(
            name=name, type=ComponentType.LIBRARY, scope=scope, purl=url, bom_ref=str(url)
        )
