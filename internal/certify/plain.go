package certify

import (
	"strconv"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
)

// plainBytes may stand in a text of a certificate that is printed as it is.
const plainBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 _-+./:=@*()[]{}^$,\""

// Plain returns a text that somebody else has written so that it can be shown: as it is if there is nothing
// strange about it, and else in quotes, in ASCII. It cannot look like more than it is, or move the cursor.
func Plain(text string) string {
	if strings.Trim(text, plainBytes) == "" && strings.TrimSpace(text) == text && text != "" {
		return text
	}
	return strconv.QuoteToASCII(text)
}

// plainError returns an error about what somebody else has written, of which its text may have a piece, so that it can be shown.
func plainError(err error) error {
	text := err.Error()
	if strings.IndexFunc(text, func(c rune) bool { return c < ' ' || c > '~' }) < 0 {
		return err
	}
	return diag.Usagef("%s", strings.Trim(strconv.QuoteToASCII(text), `"`))
}
