package host

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/tetratelabs/wazero"
)

// This file keeps checksums beside the compiled code in Options.CacheDir. wazero
// has one of the machine code, but none of where in it the functions begin: a
// bit that flipped there would end the program. Against who may write the folder
// they are no help.

// sumSuffix ends the name of the file with a file's checksum.
const sumSuffix = ".crc32c"

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// openCache opens the folder for a module's compiled code, one below dir, and
// takes out what is damaged there. Without a dir, nothing is returned.
func openCache(dir string, module []byte) (cache wazero.CompilationCache, folder string, err error) {
	if dir == "" {
		return nil, "", nil
	}
	folder = filepath.Join(dir, fmt.Sprintf("turncontext-%08x", crc32.Checksum(module, castagnoli)))
	cache, err = wazero.NewCompilationCacheWithDir(folder)
	if err == nil {
		err = dropDamaged(folder)
	}
	if err != nil {
		return nil, "", fmt.Errorf("host: opening the cache: %w", err)
	}
	return cache, folder, nil
}

// dropDamaged removes the files that are not as they were written, and those
// whose writer was stopped before it could say so.
func dropDamaged(folder string) error {
	return eachCode(folder, func(path string) error {
		sum, err := checksum(path)
		if err != nil {
			return err
		}
		written, err := os.ReadFile(path + sumSuffix)
		if err == nil && string(written) == sum {
			return nil
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return errors.Join(remove(path), remove(path+sumSuffix))
	})
}

// writeSums writes the checksums of the files that have none yet.
func writeSums(folder string) error {
	if folder == "" {
		return nil
	}
	err := eachCode(folder, func(path string) error {
		if _, err := os.Stat(path + sumSuffix); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		sum, err := checksum(path)
		if err == nil {
			err = os.WriteFile(path+sumSuffix, []byte(sum), 0o600)
		}
		if err != nil {
			return errors.Join(err, remove(path+sumSuffix)) // it may be half written
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("host: writing the cache: %w", err)
	}
	return nil
}

// eachCode calls f for each file of compiled code. That another process takes
// one away in the meantime is no error.
func eachCode(folder string, f func(path string) error) error {
	return filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && !strings.Contains(entry.Name(), ".") { // others are still being written
			err = f(path)
		}
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	})
}

// checksum returns a file's checksum, in hexadecimal digits.
func checksum(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = file.Close() }() // only read
	sum := crc32.New(castagnoli)
	if _, err := io.Copy(sum, file); err != nil {
		return "", err
	}
	return fmt.Sprintf("%08x", sum.Sum32()), nil
}

// remove removes a file that may be gone.
func remove(path string) error {
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
