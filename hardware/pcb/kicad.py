"""What KiCad does for us, without a window: fills a board, judges it, plots it.

KiCad's module is for Debian's own Python alone, so `/usr/bin/python3` runs this file as a program:
`kicad.py fill BOARD`, `kicad.py judge BOARD REPORT` or `kicad.py plot BOARD FOLDER`.
"""

import sys

import pcbnew  # type: ignore[import-not-found]  # Debian's kicad has it

ROUND = 0.05  # mm that a round corner of a fill may be off; with KiCad's 0.005 it has 1 MB more
LAYERS = {
    "F_Cu": pcbnew.F_Cu,
    "B_Cu": pcbnew.B_Cu,
    "F_Mask": pcbnew.F_Mask,
    "B_Mask": pcbnew.B_Mask,
    "F_Paste": pcbnew.F_Paste,
    "B_Paste": pcbnew.B_Paste,
    "F_Silkscreen": pcbnew.F_SilkS,
    "B_Silkscreen": pcbnew.B_SilkS,
    "Edge_Cuts": pcbnew.Edge_Cuts,
}


def fill(file: str) -> None:
    """Fill the grounds of a board's file."""
    board = pcbnew.LoadBoard(file)
    board.GetDesignSettings().m_MaxError = pcbnew.FromMM(ROUND)
    board.BuildConnectivity()
    pcbnew.ZONE_FILLER(board).Fill(board.Zones())
    pcbnew.SaveBoard(file, board)


def judge(file: str, report: str) -> None:
    """Write KiCad's report on the rules of design, in mm."""
    board = pcbnew.LoadBoard(file)
    board.BuildConnectivity()
    pcbnew.WriteDRCReport(board, report, pcbnew.EDA_UNITS_MILLIMETRES, True)


def plot(file: str, folder: str) -> None:
    """Write Gerber X2 files of each layer, and the drills."""
    board = pcbnew.LoadBoard(file)
    controller = pcbnew.PLOT_CONTROLLER(board)
    options = controller.GetPlotOptions()
    options.SetOutputDirectory(folder)
    options.SetUseGerberX2format(True)
    options.SetIncludeGerberNetlistInfo(True)
    options.SetPlotFrameRef(False)
    options.SetUseAuxOrigin(True)
    options.SetDrillMarksType(pcbnew.PCB_PLOT_PARAMS.NO_DRILL_SHAPE)
    options.SetSubtractMaskFromSilk(True)
    for name, layer in LAYERS.items():
        controller.SetLayer(layer)
        controller.OpenPlotfile(name, pcbnew.PLOT_FORMAT_GERBER, name)
        controller.PlotLayer()
    controller.ClosePlot()
    drills = pcbnew.EXCELLON_WRITER(board)
    drills.SetFormat(True)
    origin = board.GetDesignSettings().GetAuxOrigin()
    drills.SetOptions(False, False, origin, False)
    drills.CreateDrillandMapFilesSet(folder, True, False)


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
