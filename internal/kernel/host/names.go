package host

import (
	"path"
	"strings"

	"github.com/heddle-mc/heddle/internal/kernel/linux"
)

// The modelled machine has paths of Linux. Those of Windows are shown there with their drive as the first name, so that C:\a\b is /C:/a/b,
// and the folder for temporary files is /tmp besides.

// drivePath returns what Windows calls a path of the modelled machine, if the folder for temporary files has the given name. "" stands for
// the folder that has all drives.
func drivePath(name, temp string) (string, linux.Errno) {
	first, rest, _ := strings.Cut(path.Clean("/" + name)[1:], "/")
	switch {
	case strings.ContainsAny(rest, `\:*?"<>|`):
		return "", linux.ENOENT // Windows has no such names, or others for them
	case first == "":
		return "", 0
	case first == "tmp":
		return strings.TrimRight(temp, `\`) + `\` + strings.ReplaceAll(rest, "/", `\`), 0
	case len(first) != 2 || first[1] != ':' || !isLetter(first[0]):
		return "", linux.ENOENT
	}
	return first + `\` + strings.ReplaceAll(rest, "/", `\`), 0
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// fromDrive returns what the modelled machine calls a path of Windows. What is relative stays so.
func fromDrive(name string) string {
	name = strings.ReplaceAll(strings.TrimPrefix(name, `\\?\`), `\`, "/")
	if len(name) >= 2 && name[1] == ':' && isLetter(name[0]) {
		return "/" + name
	}
	return name
}
