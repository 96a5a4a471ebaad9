"""What the Debian package contains: files, libraries, and the bill of materials."""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from email.parser import Parser
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from cyclonedx.factory.license import LicenseFactory
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentScope, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL

from systemd.deb import run
from systemd.release.archives import read_folder

LIBRARIES = "usr/lib/pachisi-referee/"
COPYRIGHT = "usr/share/doc/pachisi-referee/copyright"
OUR_LICENCE = "Apache-2.0"
LICENCE_NAMES = ("license", "licence", "copying", "notice", "authors")
# A library and its licence in Debian's file of copyrights.
LICENCE = re.compile(r"^License: (.*)\nComment: This is (\S+),", re.MULTILINE)
SPDX = {"Expat": "MIT", "PSF-2": "PSF-2.0"}  # Debian's names of licences that differ from SPDX's


def read_package(deb: Path) -> dict[str, bytes]:
    """Return the files of a Debian package by their path."""
    with TemporaryDirectory() as folder:
        run("dpkg-deb", "--extract", str(deb), folder)
        return read_folder(Path(folder), "**/*")


def select_licences(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the package's file of copyrights, and the licence files of its libraries."""
    libraries = {
        name.removeprefix(LIBRARIES): content
        for name, content in files.items()
        if ".dist-info/" in name and Path(name).name.lower().startswith(LICENCE_NAMES)
    }
    return {"copyright": files[COPYRIGHT], **libraries}


def bill_of_materials(files: Mapping[str, bytes], control: str, unix_time: int) -> str:
    """Return what is in the package, and what it needs, as CycloneDX in JSON.

    control: the fields of the package, as `dpkg-deb --field` prints them.
    """
    fields = Parser().parsestr(control)
    parts = list(library_components(files))
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


def library_components(files: Mapping[str, bytes]) -> Iterator[Component]:
    """Yield each Python distribution in the package: the libraries and the referee itself."""
    found = LICENCE.findall(files[COPYRIGHT].decode())
    licences = {library: SPDX.get(licence, licence) for licence, library in found}
    licences["pachisi-referee"] = OUR_LICENCE
    for name, content in files.items():
        if name.startswith(LIBRARIES) and name.endswith(".dist-info/METADATA"):
            metadata = Parser().parsestr(content.decode())
            library = re.sub(r"[-_.]+", "-", metadata["Name"]).lower()
            licence = LicenseFactory().make_from_string(licences[library])
            url = PackageURL("pypi", name=library, version=metadata["Version"])
            yield _component(url, version=url.version, licenses=[licence])


def debian_components(depends: str, scope: ComponentScope) -> Iterator[Component]:
    """Yield the first choice of each entry of a field such as `Depends`, without versions."""
    for name in sorted({part.split()[0].partition(":")[0] for part in depends.split(",")}):
        yield _component(PackageURL("deb", "debian", name), scope=scope)


def _component(url: PackageURL, **more: Any) -> Component:
    return Component(name=url.name, type=ComponentType.LIBRARY, purl=url, bom_ref=str(url), **more)
