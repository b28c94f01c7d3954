// One "cairn rpc" child: JSON lines both ways. What is asked of it is answered
// in time or not at all; a child that is missing, slow or dead changes nothing.
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { createInterface } from "node:readline";

type Waiting = { on: ChildProcessWithoutNullStreams; done: (answer: Answer) => void; event?: (data: any, name: string) => void };
export type Answer = { result?: any; error?: string };
export type Ask = { deadlineMs?: number; signal?: AbortSignal; event?: (data: any, name: string) => void };

export class Cairn {
  private child?: ChildProcessWithoutNullStreams;
  private waiting = new Map<string, Waiting>();
  private last = 0;
  private starts = 0;
  private hello: unknown;

  constructor(private readonly program: string) {}

  /** Says whether there is a cairn that speaks this protocol. */
  async begin(hello: unknown, deadlineMs: number): Promise<boolean> {
    this.hello = undefined;
    this.starts = 0;
    const { result } = await this.ask("hello", hello, { deadlineMs });
    this.hello = hello;
    return result?.methods?.includes("agent") === true;
  }

  /** Ends the child, which finishes what it has to record. */
  end() {
    this.child?.stdin.end();
    this.child = undefined;
  }

  async ask(method: string, params: unknown, { deadlineMs, signal, event }: Ask = {}): Promise<Answer> {
    const child = this.start();
    if (!child) return { error: "cairn is not running" };
    const id = String(++this.last);
    return new Promise((resolve) => {
      const late = deadlineMs ? setTimeout(() => done({ error: "cairn gave no answer in time" }), deadlineMs) : undefined;
      const cancel = () => this.write(child, { method: "cancel", params: { id } });
      const done = (answer: Answer) => {
        clearTimeout(late);
        signal?.removeEventListener("abort", cancel);
        this.waiting.delete(id);
        this.hold(child);
        resolve(answer);
      };
      this.waiting.set(id, { on: child, done, event });
      this.hold(child);
      this.write(child, { id, method, params, ...(deadlineMs ? { deadline_ms: deadlineMs } : {}) });
      if (signal?.aborted) cancel();
      signal?.addEventListener("abort", cancel, { once: true });
    });
  }

  private write(child: ChildProcessWithoutNullStreams, message: unknown) {
    if (child.stdin.writable) child.stdin.write(JSON.stringify(message) + "\n");
  }

  /** Keeps the process of pi alive while it waits for an answer, and no longer. */
  private hold(child: ChildProcessWithoutNullStreams) {
    for (const handle of [child, child.stdin, child.stdout] as any[]) {
      if (this.waiting.size > 0) handle.ref?.();
      else handle.unref?.();
    }
  }

  /** The child, started at need and once again if it died. */
  private start(): ChildProcessWithoutNullStreams | undefined {
    if (this.child || this.starts >= 2) return this.child;
    this.starts++;
    const child = spawn(this.program, ["rpc"]);
    const gone = () => {
      if (this.child === child) this.child = undefined;
      for (const { on, done } of [...this.waiting.values()]) if (on === child) done({ error: "cairn ended" });
    };
    child.on("error", gone);
    child.on("close", gone);
    child.stdin.on("error", gone);
    child.stderr.resume();
    (child.stderr as any).unref?.();
    createInterface({ input: child.stdout, crlfDelay: Infinity }).on("line", (line) => this.line(line));
    this.child = child;
    if (this.hello) void this.ask("hello", this.hello, { deadlineMs: 2000 });
    return child;
  }

  private line(line: string) {
    let message: any;
    try {
      message = JSON.parse(line);
    } catch {
      return;
    }
    const waits = this.waiting.get(message.id);
    if (message.event) waits?.event?.(message.data, message.event);
    else waits?.done({ result: message.result, error: message.error?.message });
  }
}
