// The behaviour of the extension that cairn's pruning is like, restated for the
// measurement from its description: all is decided anew at every request.
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

const PROTECT = 40_000;
const MINIMUM = 20_000;

const textOf = (m: any) => m.content.map((c: any) => c.text ?? "").join("\n");

export default function (pi: ExtensionAPI) {
  pi.on("context", async (event) => {
    let turns = 0;
    let kept = 0;
    let sum = 0;
    const messages: any[] = [...event.messages];
    for (let i = messages.length - 1; i >= 0; i--) {
      const m = messages[i];
      if (m.role === "user") turns++;
      if (m.role !== "toolResult" || turns < 2) continue;
      const tokens = Math.ceil(textOf(m).length / 4);
      if (kept < PROTECT) {
        kept += tokens;
        continue;
      }
      sum += tokens;
      if (!m.isError) messages[i] = { ...m, content: [{ type: "text", text: `[output pruned: ~${tokens} tokens | ${m.toolName}]` }] };
    }
    return sum < MINIMUM ? undefined : { messages };
  });
}
