package cert

import (
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// packer compresses small pieces: headers, names, lists of numbers.
var packer = sync.OnceValue(func() *zstd.Encoder {
	e, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false))
	if err != nil {
		panic(err) // the options are constant
	}
	return e
})

func pack(data []byte) []byte { return packer().EncodeAll(data, nil) }

// unpack returns what pack was given, if that is at most limit bytes.
func unpack(data []byte, limit int) ([]byte, error) {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(uint64(limit)), zstd.WithDecoderLowmem(true))
	if err != nil {
		return nil, err
	}
	defer d.Close()
	out, err := d.DecodeAll(data, nil)
	if err != nil {
		return nil, fmt.Errorf("it cannot be unpacked: %v", err)
	}
	return out, nil
}
