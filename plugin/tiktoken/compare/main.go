package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
)

func must(err error) { if err != nil { panic(err) } }

func main() {
	ctx := experimental.WithCompilationWorkers(context.Background(), runtime.GOMAXPROCS(0))
	src, err := os.ReadFile(os.Args[1]); must(err)
	r := wazero.NewRuntime(ctx)
	t := time.Now()
	c, err := r.CompileModule(ctx, src); must(err)
	fmt.Println("compile", time.Since(t), len(src))
	wasi_snapshot_preview1.MustInstantiate(ctx, r)
	m, err := r.InstantiateModule(ctx, c, wazero.NewModuleConfig().WithSysNanotime().WithSysWalltime().WithStartFunctions("_initialize").WithStderr(os.Stderr)); must(err)
	call := func(n string, p ...uint64) uint64 { x, err := m.ExportedFunction(n).Call(ctx, p...); must(err); if len(x)==0 {return 0}; return x[0] }
	var mem api.Memory = m.Memory()
	put := func(s string) uint64 { a := call("reserve", uint64(len(s))); mem.Write(uint32(a), []byte(s)); return uint64(len(s)) }
	for _, n := range []uint64{0,1} {
		t := time.Now(); call("load", n); fmt.Println("load", n, time.Since(t), "mem", mem.Size()>>20)
	}
	en := strings.Repeat("All human beings are born free and equal in dignity and rights; they're endowed with reason and conscience, and should act towards one another in a spirit of brotherhood. ", 7000)
	ja := strings.Repeat("すべての人間は、生れながらにして自由であり、かつ、尊厳と権利とについて平等である。人間は、理性と良心とを授けられており、互いに同胞の精神をもって行動しなければならない。", 4200)
	code := strings.Repeat("func (v *vocabulary) match(text []byte, m *matches) {\n\tnode := uint64(text[0]) + 1\n\tm.token[0] = v.single[text[0]]\n\tfor _, b := range text[1:] {\n\t\tkey := node<<8 | uint64(b)\n\t}\n}\n", 5200)
	th := strings.Repeat("มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ", 6000)
	for _, n := range []uint64{0,1} {
		call("load", n)
		for _, x := range []struct{n, s string}{{"en",en},{"ja",ja},{"code",code},{"thai",th},{"a",strings.Repeat("a",1<<20)},{"sp",strings.Repeat(" ",1<<20)},{"mark",strings.Repeat("\u0301",1<<19)},{"emoji",strings.Repeat("👩🏽‍🚀",1<<16)},{"hex",strings.Repeat("9f86d081884c7d659a2feaa0c55ad015",1<<15)}} {
			l := put(x.s[:4096])
			for range 30 { call("count", l) }
			t := time.Now(); for range 100 { call("count", l) }; d4 := time.Since(t)/100
			l = put(x.s)
			t = time.Now(); c := call("count", l); d := time.Since(t)
			fmt.Println(n, x.n, "4K", d4, len(x.s), "B", c, "tok", d, float64(d.Nanoseconds())/float64(len(x.s)), "ns/B")
		}
	}
	fmt.Println("mem", mem.Size()>>20)
}
