// cairn for OpenCode: says which session a command belongs to, and replaces old
// tool outputs by markers that can be recalled. All logic is in "cairn rpc"; this
// file translates. Where cairn is missing or slow, nothing is changed.
//
// Install: "plugin": ["file:///path/to/cairn.ts"] in opencode.json, or copy the
// file to .opencode/plugin/. Pruning is off until CAIRN_PRUNE is set: to 1, or to
// numbers, such as {"protect": 40000, "minimum": 20000, "turns": 2}.
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process"
import { createInterface } from "node:readline"

const DEADLINE_MS = 2000
const PRUNABLE = ["read", "bash", "grep", "glob", "list", "edit", "write", "webfetch"]

type Pruned = { id: string; oid: string; tokens: number; text: string }
type Decision = { edits: { index: number; id: string; text: string }[]; new: Pruned[] }

/** One child, started at the first request and again once if it dies. */
class Cairn {
  private child?: ChildProcessWithoutNullStreams
  private waiting = new Map<string, (result?: any) => void>()
  private last = 0
  private starts = 0

  constructor(private readonly dir: string) {}

  private start(): ChildProcessWithoutNullStreams | undefined {
    if (this.child || this.starts >= 2) return this.child
    this.starts++
    const child = spawn(process.env.CAIRN_PROGRAM ?? "cairn", ["rpc"], { cwd: this.dir })
    const gone = () => {
      if (this.child === child) this.child = undefined
      for (const done of this.waiting.values()) done()
      this.waiting.clear()
    }
    child.on("error", gone)
    child.on("exit", gone)
    child.stdin.on("error", gone)
    child.stderr.resume()
    createInterface({ input: child.stdout }).on("line", (line) => {
      const message = JSON.parse(line)
      if (!message.event) this.waiting.get(message.id)?.(message.result)
    })
    child.unref()
    this.child = child
    return child
  }

  /** The result, or undefined where there is none in time. */
  async ask(method: string, params: unknown): Promise<any> {
    const child = this.start()
    if (!child) return undefined
    const id = String(++this.last)
    return new Promise((resolve) => {
      const late = setTimeout(() => done(undefined), DEADLINE_MS)
      const done = (result?: any) => {
        clearTimeout(late)
        this.waiting.delete(id)
        resolve(result)
      }
      this.waiting.set(id, done)
      child.stdin.write(JSON.stringify({ id, method, params, deadline_ms: DEADLINE_MS }) + "\n")
    })
  }
}

function pruning(): object | undefined {
  const setting = process.env.CAIRN_PRUNE
  if (!setting || setting === "0") return undefined
  try {
    const numbers = JSON.parse(setting)
    return { mode: "opencode", prunable: PRUNABLE, ...(typeof numbers === "object" ? numbers : {}) }
  } catch {
    return undefined
  }
}

/** A conversation as cairn reads it, and the parts that its entries stand for. */
function flatten(messages: any[]) {
  const entries: any[] = []
  const parts: any[] = []
  for (const { info, parts: own } of messages) {
    entries.push({ id: info.id, role: info.summary === true && info.role === "assistant" ? "compactionSummary" : info.role })
    parts.push(undefined)
    for (const part of own) {
      if (part.type !== "tool" || (part.state.status !== "completed" && part.state.status !== "error")) continue
      const args: Record<string, string> = {}
      for (const [key, value] of Object.entries(part.state.input ?? {})) {
        if (typeof value === "string" || typeof value === "number") args[key === "filePath" ? "path" : key] = String(value)
      }
      const error = part.state.status === "error"
      const fixed = (part.state.attachments ?? []).length > 0
      entries.push({ id: part.callID, role: "toolResult", tool: part.tool, args, error, fixed, text: error ? "" : part.state.output })
      parts.push(part)
    }
  }
  return { entries, parts }
}

export const CairnPlugin = async (ctx: { directory: string }) => {
  const cairn = new Cairn(ctx.directory)
  const remembered = new Map<string, Pruned[]>()
  return {
    "shell.env": async (input: { sessionID?: string }, output: { env: Record<string, string> }) => {
      if (input.sessionID) output.env.CAIRN_SESSION = input.sessionID
    },
    "experimental.chat.messages.transform": async (_: unknown, output: { messages: any[] }) => {
      const config = pruning()
      const session = output.messages[0]?.info?.sessionID
      if (!config || !session) return
      const { entries, parts } = flatten(output.messages)
      const pruned = remembered.get(session) ?? []
      const decision: Decision | undefined = await cairn.ask("prune", { messages: entries, config, pruned, session })
      if (!decision) return
      remembered.set(session, [...pruned, ...decision.new])
      for (const edit of decision.edits) {
        const part = parts[edit.index]
        if (part) part.state = { ...part.state, output: edit.text }
      }
    },
  }
}
