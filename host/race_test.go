//go:build race

package host

// raceDetector is true where tests run many times slower, so that those which
// only gain by repetition repeat less.
const raceDetector = true
