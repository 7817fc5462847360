package host

import (
	"bytes"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/build"
)

// writeFile writes a file, which may be there.
func writeFile(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

// readFile reads a file.
func readFile(t *testing.T, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// Whatever byte of a cached file is wrong, and wherever it was cut off, the
// module is compiled anew and the file made good. Run as it is, such a file
// would end the program, or do anything at all.
func TestDamagedCache(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	openFake(t, Options{CacheDir: dir})
	files := filesIn(t, dir)
	code, sum := readFile(t, files[0]), readFile(t, files[1])

	var damaged [][]byte
	for i := range code {
		// The parts around the machine code are what only our checksum covers.
		if i < 100 || i > len(code)-20 || i%500 == 0 {
			wrong := bytes.Clone(code)
			wrong[i] ^= 0x41
			damaged = append(damaged, wrong)
		}
		if i%400 == 0 {
			damaged = append(damaged, code[:i])
		}
	}
	damaged = append(damaged, code[:len(code)-1], append(bytes.Clone(code), 0), []byte("damaged"))
	for i, wrong := range damaged {
		writeFile(t, files[0], wrong)
		checkWorks(t, openFake(t, Options{CacheDir: dir}))
		if now := readFile(t, files[0]); bytes.Equal(now, wrong) {
			t.Fatalf("damage %d is still in the cache", i)
		}
	}

	for _, wrong := range [][]byte{nil, sum[:3], []byte("00000000")} {
		writeFile(t, files[1], wrong)
		checkWorks(t, openFake(t, Options{CacheDir: dir}))
		if bytes.Equal(readFile(t, files[1]), wrong) {
			t.Errorf("the checksum is still %q", wrong)
		}
	}
	if now := filesIn(t, dir); len(now) != 2 {
		t.Errorf("the cache has the files %q", now)
	}
}

// A run that was killed while it wrote leaves a file without a checksum, or one
// with a name for the time being. Neither is run.
func TestLeftoversInTheCache(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	openFake(t, Options{CacheDir: dir})
	files := filesIn(t, dir)
	writeFile(t, files[0]+".123.tmp", []byte("half"))
	if err := os.Remove(files[1]); err != nil {
		t.Fatal(err)
	}
	writeFile(t, files[0], []byte("half"))
	checkWorks(t, openFake(t, Options{CacheDir: dir}))
	if len(readFile(t, files[0])) < 1000 || len(readFile(t, files[1])) == 0 {
		t.Error("the file was not made good")
	}
}

// Modules have folders of their own, so that one does not pay for another.
func TestCacheFolderOfEachModule(t *testing.T) {
	t.Parallel()
	_, one, err := openCache(t.TempDir(), fakeModule().encode())
	if err != nil {
		t.Fatal(err)
	}
	_, other, err := openCache(filepath.Dir(one), build.Module)
	if err != nil || one == other {
		t.Errorf("got %s and %s, %v", one, other, err)
	}
}

// Programs that open the same module at the same time may take files away from
// under each other, since one without its checksum counts as half written. None
// of them fails for it.
func TestCacheOfManyAtOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	rounds := 20
	if testing.Short() || raceDetector {
		rounds = 4
	}
	for round := range rounds {
		var all sync.WaitGroup
		for range 6 {
			all.Go(func() {
				m, err := Open(t.Context(), Options{CacheDir: dir, Module: fakeModule().encode(), Instances: 1})
				if err != nil {
					t.Error(err)
					return
				}
				if answer, err := m.Call(t.Context(), abi.FunctionMerge, harmless); err != nil || string(answer) != emptyAnswer {
					t.Errorf("got %s, %v", answer, err)
				}
				if err := m.Close(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if err := os.Remove(filesIn(t, dir)[round%2]); err != nil {
			t.Fatal(err)
		}
	}
}
