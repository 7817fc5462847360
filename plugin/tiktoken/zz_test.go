package tiktoken
import ("testing";"bufio";"os";"encoding/json";"unicode/utf8";"fmt")
func BenchmarkUnpack(b *testing.B){ for b.Loop(){ unpack(mergesO200K) } }
func TestZZ(t *testing.T){
 f,_:=os.Open("/tmp/tk/q/texts.jsonl"); s:=bufio.NewScanner(f); s.Buffer(nil,1<<26)
 e0,_:=Load("cl100k_base"); e1,_:=Load("o200k_base")
 stats:=map[string][]int{}
 mk:=[]byte("…123 tokens truncated…")
 for i:=0; s.Scan() && i<15000; i++{
  var x string; json.Unmarshal(s.Bytes(),&x); text:=[]byte(x)
  if len(text)>400 {text=text[:boundary(text,400)]}
  for _,e:=range []*Encoding{e0,e1}{ for _,marker:=range [][]byte{nil,mk}{
   m:=e.Count(marker)
   for _,b:=range []int{0,1,2,3,5,8,13,20,40}{ b:=b+m
     p,ok:=e.Head(text,marker,b); if !ok {t.Fatal()}
     best:=-1
     cnt:=func(parts ...[]byte)int{ var y []byte; for _,p:=range parts{y=append(y,p...)}; return e.Count(y)}
     for q:=len(text);q>=0;q--{ if q<len(text)&&!utf8.RuneStart(text[q]){continue}; if cnt(text[:q],marker)<=b {best=q;break} }
     if cnt(text[:p],marker)>b { t.Fatalf("head over %q %d",text,b)}
     rec(stats,fmt.Sprint("head",len(marker)>0),p,best,t,text,b)
     p,_=e.Tail(text,marker,b)
     best=-1
     for q:=0;q<=len(text);q++{ if q<len(text)&&!utf8.RuneStart(text[q]){continue}; if cnt(marker,text[q:])<=b {best=len(text)-q;break} }
     if cnt(marker,text[p:])>b { t.Fatalf("tail over %q %d",text,b)}
     rec(stats,fmt.Sprint("tail",len(marker)>0),len(text)-p,best,t,text,b)
     h,tl,_:=e.Middle(text,marker,b)
     if h>tl||cnt(text[:h],marker,text[tl:])>b { t.Fatalf("middle over %q %d",text,b)}
     sep:=b-m
     bh:=0; for q:=len(text);q>=0;q--{ if q<len(text)&&!utf8.RuneStart(text[q]){continue}; if cnt(text[:q],marker)<=m+sep/2 {bh=q;break} }
     bt:=0; for q:=bh;q<=len(text);q++{ if q<len(text)&&!utf8.RuneStart(text[q]){continue}; if cnt(text[q:])<=sep-cnt(text[:bh]) && cnt(text[:bh],marker,text[q:])<=b {bt=len(text)-q;break} }
     rec(stats,fmt.Sprint("mid",len(marker)>0),h+len(text)-tl,bh+bt,t,text,b)
   }
  }}
 }
 for k,v:=range stats{ t.Log(k,v)}
}
func rec(st map[string][]int,k string,got,best int,t *testing.T,text []byte,b int){
 if st[k]==nil{st[k]=make([]int,3)}
 st[k][0]++
 if got!=best {st[k][1]++}
 if float64(got)<0.97*float64(best) {st[k][2]++; if st[k][2]<4 {t.Logf("%s got %d best %d budget %d %q",k,got,best,b,text)}}
}
