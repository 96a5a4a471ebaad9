#!/bin/sh
# Installs Pachisi Referee from the card. Words in cmdline.txt let systemd run it at the next start of the Pi.
# That makes a service, which runs `install.sh install` and is there until everything is done. So an
# installation that a power cut ended goes on at the next start. Each step may run twice.
#
# pachisi-referee.txt on the card says how far it is; so does the display, as soon as it can be reached.
# ROOT is only for tests.
set -u

ROOT=${ROOT:-}
FOLDER=$(cd "$(dirname "$0")" && pwd)
CARD=$(dirname "$FOLDER")
SETTINGS=$FOLDER/settings
REPORT=$CARD/pachisi-referee.txt
LINE=$CARD/cmdline.txt # the kernel's
RUN='systemd\.run=/boot/firmware/pachisi-referee/install\.sh' # the first of card.js's words there
STATE=$ROOT/var/lib/pachisi-referee-card
DONE=$STATE/done # the settings of the last installation that was completed
INSTALLED=$STATE/installed # the sha256 of the package that was installed last
LOG=$ROOT/run/pachisi-referee-card.log # in memory: the card may be full or damaged
NAME=pachisi-referee-card.service
UNIT=$ROOT/etc/systemd/system/$NAME
CHOSEN=$ROOT/run/pachisi-referee-card.toml
POOL=$STATE/packages # what the card carries, while apt installs it
AGAIN_S=30
step=0 # the last that was begun
NEEDED_KB=400000 # the package and everything that it depends on, with as much again
said=
also= again= # packages beside the referee's, and an option of apt
FULL="no space left|enough free space"
DAMAGED="read-only file system|input/output error"
BUSY="could not get lock|unable to acquire|locked by another"
started= # yes once the system has started; until then the table may be about to start

main() {
  mkdir -p "$STATE" 2>/dev/null
  case ${1:-begin} in
  begin) begin ;;
  install) until install; do sleep "$AGAIN_S"; done ;;
  *) echo "usage: install.sh [begin | install]" >&2 && exit 2 ;;
  esac
}

# Cards of earlier versions let cloud-init run this at each start.
begin() {
  is_done && { remove_words; exit 0; }
  write_unit
  systemctl daemon-reload
  systemctl enable "$NAME"
  remove_words
  systemctl start --no-block "$NAME"
}

# Leaves the kernel's line as it was before card.js. If that fails, the next start runs `begin` again.
remove_words() {
  grep -q "$RUN" "$LINE" || return 0
  sync # what the words have done
  { sed "s# $RUN\( systemd\.run_success.*kernel-command-line\.service\)*##" "$LINE" >"$LINE.new" &&
    sync && mv -f "$LINE.new" "$LINE" || rm -f "$LINE.new"; } 2>/dev/null
  sync
}

# Returns 1 after a fault that may pass, such as a missing network; exits after one that stays.
install() {
  is_done && leave && exit 0 # the power went before the last restart
  check_computer
  check_package
  step 1 "The Pi completes its own first start.

This takes some minutes."
  timeout 1800 cloud-init status --wait >/dev/null 2>&1
  started=yes
  check_space && install_package || return 1
  turn_on_bus
  apply_options
  step 4 "The Pi is set up for the referee."
  set_up
  finish
}

write_unit() {
  mkdir -p "$(dirname "$UNIT")"
  cat >"$UNIT.new" <<END
[Unit]
Description=Installation of Pachisi Referee from the card
RequiresMountsFor=$CARD
ConditionPathExists=$FOLDER/install.sh

[Service]
ExecStart=/bin/sh $FOLDER/install.sh install

[Install]
WantedBy=multi-user.target
END
  mv "$UNIT.new" "$UNIT"
}

# What must hold.

check_computer() {
  case $(dpkg --print-architecture) in
  armhf | armel | i386) stop "This is a 32-bit system, and the referee needs a 64-bit one.

Make the card anew with the Raspberry Pi Imager: choose \"Raspberry Pi OS Lite (64-bit)\".
Then put the referee on it again. The referee runs on a Pi Zero 2 W, 3, 4 and 5." ;;
  esac
}

check_package() {
  is_whole sha256 pachisi-referee.deb ||
    stop "The file pachisi-referee.deb on this card is missing or damaged.

Put the referee on the card again, as you did the first time. Eject the card before you
pull it out."
}

# Whether a file of the card has the sum that a setting, $1, has.
is_whole() {
  echo "$(value "$1")  $FOLDER/$2" | sha256sum --check --status 2>/dev/null
}

has_network() {
  [ -n "$(ip route show default; ip -6 route show default)" ]
}

ABOUT_NETWORK="- With a cable: is it plugged in at both ends, and is the router on?
- With Wi-Fi: are its name, password and country right? A Pi Zero 2 W and a Pi 3B only
  find networks at 2.4 GHz. Use a cable, or make the card anew with the Raspberry Pi
  Imager and put the referee on it again. The Imager deletes the games on a card."

check_network() {
  has_network || waits "The packages on the card do not fit this system, and there is no network.

$ABOUT_NETWORK"
}

# A Pi has no battery, so its clock is wrong until it has asked the network.
check_clock() {
  [ "$(date +%s)" -ge "$(value built)" ] || wait_for_clock
}

wait_for_clock() {
  waits "The Pi's clock is wrong: it says $(date +%Y-%m-%d). The Pi asks the internet for the time.

If this text stays, your network blocks the time (NTP, port 123). Try another network,
such as a phone's hotspot." "$@"
}

check_space() {
  [ "$(df -P -k "$ROOT/" | awk 'NR == 2 { print $4 }')" -ge "$NEEDED_KB" ] || wait_for_space
}

wait_for_space() {
  waits "The card is full. The referee needs $((NEEDED_KB / 1000)) MB of free space.

Use a larger card (8 GB are enough), or make this one anew with the Raspberry Pi Imager. The
Imager deletes the games on a card." "$@"
}

# What is done.

install_package() {
  step 2 "The referee is being installed from the card.

This takes some minutes, on a Pi Zero 2 W longer. It needs no network."
  : >"$LOG"
  do_quietly dpkg --force-confold --configure -a # a power cut may have left something half done
  played=
  table_runs && played=yes
  [ "$(value page)" = yes ] && also=avahi-daemon # finds the page by its name
  # Without this, apt keeps another package of the same version.
  [ "$(value sha256)" = "$(cat "$INSTALLED" 2>/dev/null)" ] || again=--reinstall
  install_from_card || install_from_internet || return 1
  value sha256 >"$INSTALLED"
  # apt has started the table. Where none ran before, nobody plays, and the display is ours.
  [ "$played" = yes ] || stop_table
}

# The card has a repository for each system. With it apt reads no other list, and leaves those of the system.
install_from_card() {
  archive=$(. "$ROOT/etc/os-release" 2>/dev/null && echo "$VERSION_CODENAME").tar
  is_whole "$archive" "$archive" && rm -rf "$POOL" && mkdir -p "$POOL/lists/partial" &&
    do_quietly tar -xf "$FOLDER/$archive" -C "$POOL" &&
    echo "deb [trusted=yes] file:$POOL ./" >"$POOL/sources.list" || return
  set -- -o Dir::Etc::SourceList="$POOL/sources.list" -o Dir::Etc::SourceParts=/dev/null \
    -o Dir::State::Lists="$POOL/lists"
  do_quietly apt-get update "$@" && apt_install "$@"
}

# For a system or a package that the card's packages do not fit.
install_from_internet() {
  says "$FULL|$DAMAGED|$BUSY" && { explain; return 1; }
  check_network && check_clock || return 1
  step 3 "The referee is being installed from the internet.

The packages on the card do not fit this system. This takes some minutes, on a Pi Zero 2 W
much longer."
  : >"$LOG"
  do_quietly apt-get update
  apt_install || { explain; return 1; }
}

apt_install() {
  do_quietly apt-get install "$@" --yes --allow-downgrades $again -o Dpkg::Options::=--force-confold \
    "$FOLDER/pachisi-referee.deb" $also
}

do_quietly() { # in English, so that explain() understands it
  LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive APT_LISTCHANGES_FRONTEND=none "$@" >>"$LOG" 2>&1 </dev/null
}

# Says in plain words why apt failed. What apt says of packages that are missing often follows from the reason.
explain() {
  if says "$FULL"; then
    wait_for_space "$LOG"
  elif says "$DAMAGED"; then
    waits "The card can't be written: it is damaged or worn out.

Use another card of 8 GB or more, and begin anew with the Raspberry Pi Imager." "$LOG"
  elif says "not valid yet|not yet valid|not yet activated|not live until"; then
    wait_for_clock "$LOG"
  elif says "is expired|expired on|expired certificate|EXPKEYSIG"; then
    waits "A list of packages or its key has expired, if today is $(date +%Y-%m-%d), as the Pi's clock says.

If that is not today, pull the Pi's plug, wait a minute, and try again. If it is, the system on
this card may be too old: make the card anew with the Raspberry Pi Imager, choose the newest
Raspberry Pi OS Lite (64-bit), and put the referee on it again." "$LOG"
  elif says "$BUSY"; then
    waits "Another program is installing something. The referee waits until it has ended.

You need not do anything. If this text stays for an hour, restart the Pi." "$LOG"
  elif says "network.* authentication|clearsigned file|error in the certificate|certificate verification|no package: header"; then
    waits "The network answers with a page of its own: it asks for a login or blocks the internet.

Try another network, such as the one at home or a phone's hotspot." "$LOG"
  elif says "not signed|no longer signed|NO_PUBKEY|BADSIG|missing key|verifying signature"; then
    waits "The lists of packages came without the signature that this system expects.

Something in the network changes them, or the system does not know the newest keys. Try another
network, such as a phone's hotspot. If that does not help, make the card anew with the Raspberry
Pi Imager: choose the newest Raspberry Pi OS Lite (64-bit). Then put the referee on it again." "$LOG"
  elif says "resolving|could not resolve|could not connect|cannot initiate|unreachable|timed out|failed to fetch|unable to fetch"; then
    waits "The Pi is in the network, but it can't load Debian's packages from the internet.

Does the internet work on your phone in the same network? If it does not, restart the
router. If it does, wait some minutes: the server may be busy." "$LOG"
  else
    waits "The referee could not be installed on this system.

Make the card anew with the Raspberry Pi Imager: choose the newest Raspberry Pi OS Lite (64-bit).
Then put the referee on it again. The Imager deletes the games on a card. If that does not help,
send us this text." "$LOG"
  fi
}

says() {
  grep -q -i -E "$1" "$LOG"
}

set_up() {
  user=$(id -nu 1000 2>/dev/null)
  SUDO_USER=$user referee setup >"$LOG" 2>&1 || stop "The referee is installed, but the Pi could not be set up for it.

The last lines below say why." "$LOG"
}

# The same as raspi-config does, so that the display can be reached before the restart.
turn_on_bus() {
  [ -e "$ROOT/dev/i2c-1" ] ||
    { timeout 10 dtparam i2c_arm=on && timeout 10 modprobe i2c-dev; } >/dev/null 2>&1
}

# Takes what was chosen on the page into the configuration.
apply_options() {
  referee check-config >"$LOG" 2>&1 || stop "The referee is installed, but its configuration has a mistake.

The last lines below name it." "$LOG"
  sed -n 's/^config: //p' "$SETTINGS" | tr -d '\r' >"$CHOSEN"
  referee config --take "$CHOSEN" >"$LOG" 2>&1 || stop "The referee is installed, but your choices do not fit its configuration.

The configuration is as it was. The last lines below say what does not fit. Put the referee on
the card again, and choose differently." "$LOG"
}

finish() {
  page=
  if [ "$(value page)" = yes ]; then
    systemctl enable pachisi-referee-page.socket && page="

Spectators find the page at http://$(hostname).local/"
    has_network || page="$page

The game needs no network, but the page does, and there is none:

$ABOUT_NETWORK"
  elif grep -q "^page=yes" "$DONE" 2>/dev/null; then
    systemctl disable pachisi-referee-page.socket
  fi
  stop_table
  say installing "The referee is installed, and the Pi restarts once. After one or two minutes the display
shows the referee. From now on it starts whenever the Pi gets power.$page

Does the display stay dark? Pull the plug and check the display's wires. If its type is wrong,
put the referee on this card again and choose another one. \"What may go wrong\" in the
hardware guide has more.

The menu names the version that runs: \"setup\", \"version\"." ""
  sync
  { cp "$SETTINGS" "$DONE.new" && mv "$DONE.new" "$DONE"; } 2>"$LOG" ||
    stop "The referee is installed, but the Pi can't note that it is." "$LOG"
  leave
  systemctl reboot
  exit 0
}

leave() {
  systemctl disable "$NAME"
  rm -rf "$UNIT" "$POOL"
  sync
}

is_done() {
  cmp -s "$SETTINGS" "$DONE"
}

# Prints a setting. Notepad may have added a CR.
value() {
  sed -n "s/^$1=//p" "$SETTINGS" | tr -cd 'A-Za-z0-9._\n-'
}

# What people are told.

# $1: what the display shows. $2: what the file on the card says. $3: a log; its last lines go into the file.
say() {
  [ "$2" = "$said" ] && return
  said=$2
  echo "$2" | head -n 1
  if write_report "$2" "$3" "$REPORT.new"; then
    mv -f "$REPORT.new" "$REPORT"
  else # the card is full, so the old text must go first
    rm -f "$REPORT.new"
    write_report "$2" "$3" "$REPORT"
  fi
  sync
  announce "$1"
}

write_report() {
  {
    printf 'PACHISI REFEREE %s\n\n%s\n' "$(value version)" "$1"
    [ -z "$2" ] || { printf '\nFor somebody who helps you:\n\n' && tail -n 8 "$2"; }
  } | sed 's/$/\r/' 2>/dev/null >"$3"
}

# Leaves a screen on the display if it can be reached. A table that runs has the display: people may play.
announce() {
  [ -z "$started" ] || table_runs || ! command -v referee >/dev/null && return
  LG_WD=/run timeout -k 5 30 referee announce "$1" >/dev/null 2>&1 </dev/null
}

# Also when it is about to start or to end.
table_runs() {
  case $(systemctl is-active referee.service) in inactive | failed) return 1 ;; esac
}

stop_table() {
  systemctl stop referee.service
}

# Names a step when it begins. When it is tried again, the file goes on naming the fault.
step() {
  [ "$1" -le "$step" ] && return
  step=$1
  say installing "Step $1 of 4: $2" ""
}

waits() {
  say waiting "The installation waits: $1

Leave the Pi on. It tries again every $AGAIN_S seconds and goes on by itself." "${2:-}"
  return 1
}

stop() {
  say stopped "The installation stopped: $1

Pull the Pi's plug before you take the card out. At its next start the Pi tries again." "${2:-}"
  exit 1
}

main "$@"
