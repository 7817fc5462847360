package conform

import (
	"encoding/json"
	"errors"
	"os"
)

// RecordTo is the environment variable that names a file for Result.Record.
const RecordTo = "TURNCONTEXT_CONFORM"

// Record adds a line to the file that the environment names, if it does: how
// many vectors the host passed. The runners of all languages write the same,
// {"host":"go","passed":1,"failed":0,"notRun":0}; `make conform` makes one table
// of it.
func (r Result) Record(host string) error {
	path := os.Getenv(RecordTo)
	if path == "" {
		return nil
	}
	line, err := json.Marshal(struct {
		Host   string `json:"host"`
		Passed int    `json:"passed"`
		Failed int    `json:"failed"`
		NotRun int    `json:"notRun"`
	}{host, r.Passed, len(r.Failed), r.Skipped()})
	if err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = file.Write(append(line, '\n'))
	return errors.Join(err, file.Close())
}
