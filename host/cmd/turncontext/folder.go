package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/turncontext/turncontext/host"
)

// The names of the files in a folder of threads.
const (
	threadSuffix  = ".json"
	historySuffix = ".history.jsonl"
	folderLock    = "lock"
)

// A thread is what the server knows of one thread.
type thread struct {
	id      string
	state   json.RawMessage
	history int64 // bytes of the history in the folder
}

// threadFile is what stands in a thread's file. Replacing it is what makes a
// turn happen: what stands in the history beyond its length never did.
type threadFile struct {
	History int64           `json:"history"` // bytes
	State   json.RawMessage `json:"state"`
}

// A folder keeps threads on the disk, in two files for each: the state, which
// is replaced, and the history, which grows by a line with every turn and
// steer.
type folder struct {
	dir  string
	lock *os.File
}

// errNotKept says that what is on the disk is no longer sure. The server ends:
// the next one reads what is there.
var errNotKept = errors.New("the thread was not kept")

// openFolder takes a folder, which is made if it is missing, for this process
// alone. The caller closes it.
func openFolder(dir string) (*folder, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	lock, err := tryLock(filepath.Join(dir, folderLock))
	if err != nil {
		return nil, err
	}
	return &folder{dir, lock}, nil
}

// close lets other processes have the folder.
func (f *folder) close() {
	_ = f.lock.Close() // nothing was written to it
}

// load reads all threads, and removes what a killed run left of a turn that
// was not answered. The module checks the states.
func (f *folder) load(ctx context.Context, module *host.Module) (map[string]*thread, error) {
	entries, err := os.ReadDir(f.dir)
	if err != nil {
		return nil, err
	}
	threads := map[string]*thread{}
	for _, entry := range entries {
		name := entry.Name()
		if strings.HasSuffix(name, newSuffix) {
			if err := os.Remove(filepath.Join(f.dir, name)); err != nil {
				return nil, err
			}
		}
		id, isThread := strings.CutSuffix(name, threadSuffix)
		if !isThread {
			continue
		}
		t, err := f.loadThread(ctx, module, id)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Join(f.dir, name), err)
		}
		threads[id] = t
	}
	return threads, nil
}

func (f *folder) loadThread(ctx context.Context, module *host.Module, id string) (*thread, error) {
	info, err := os.Stat(f.path(id, threadSuffix))
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("not a regular file") // a pipe would never end
	}
	text, err := os.ReadFile(f.path(id, threadSuffix))
	if err != nil {
		return nil, err
	}
	var file threadFile
	if err := decodeStrict(text, &file); err != nil {
		return nil, err
	}
	restored, err := module.RestoreThread(ctx, file.State, nil)
	if err != nil {
		return nil, err
	}
	if restored.ID() != id {
		return nil, fmt.Errorf("the state is of the thread %q", restored.ID())
	}
	if err := f.cutHistory(id, file.History); err != nil {
		return nil, err
	}
	return &thread{id: id, state: restored.Snapshot(), history: file.History}, nil
}

// cutHistory makes a thread's history as long as its file says.
func (f *folder) cutHistory(id string, length int64) error {
	if length < 0 {
		return fmt.Errorf("the history cannot have %d bytes", length)
	}
	path := f.path(id, historySuffix)
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && length == 0:
		return nil
	case err != nil:
		return err
	case info.Size() < length:
		return fmt.Errorf("the history has %d bytes, not %d", info.Size(), length)
	case info.Size() > length:
		return os.Truncate(path, length)
	}
	return nil
}

// keep puts a thread's new state on the disk, after a record for its history if
// there is one: a crash between the two costs the record, which no answer told
// of. The thread is the one of before; keep returns the length of its history.
func (f *folder) keep(t *thread, state, record json.RawMessage) (history int64, err error) {
	history = t.history
	if record != nil {
		line := append(record, '\n')
		if err := f.appendHistory(t, line); err != nil {
			return 0, fmt.Errorf("%w: %w", errNotKept, err)
		}
		history += int64(len(line))
	}
	text, err := encode(threadFile{history, state})
	if err == nil {
		err = replaceFile(f.path(t.id, threadSuffix), append(text, '\n'), privateMode)
	}
	if err != nil {
		return 0, fmt.Errorf("%w: %w", errNotKept, err)
	}
	return history, nil
}

// appendHistory writes a line to the end of a thread's history. A new file's
// name gets to the disk with the state.
func (f *folder) appendHistory(t *thread, line []byte) error {
	file, err := os.OpenFile(f.path(t.id, historySuffix), os.O_WRONLY|os.O_CREATE, privateMode)
	if err != nil {
		return err
	}
	_, err = file.WriteAt(line, t.history)
	return finish(file, err)
}

// path returns the path of a thread's file. Ids are those that this program
// made, or that a file in the folder has for a name; a client's text never gets
// here.
func (f *folder) path(id, suffix string) string {
	return filepath.Join(f.dir, id+suffix)
}
