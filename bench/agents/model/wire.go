package model

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// anthropic answers a request of Anthropic's Messages API.
func anthropic(w http.ResponseWriter, path string, raw []byte, s *Server) {
	if strings.Contains(path, "count_tokens") {
		writeJSON(w, map[string]any{"input_tokens": 10})
		return
	}
	reply, r := s.reply(path, raw, readAnthropic)
	blocks := anthropicBlocks(reply, len(s.Requests()))
	stop := "end_turn"
	if len(reply.Calls) > 0 {
		stop = "tool_use"
	}
	msg := map[string]any{"id": fmt.Sprintf("msg_%d", len(raw)), "type": "message", "role": "assistant", "model": r.Body["model"], "content": []any{},
		"stop_reason": nil, "stop_sequence": nil, "usage": map[string]any{"input_tokens": 10, "output_tokens": 1, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}}
	if r.Body["stream"] != true {
		msg["content"], msg["stop_reason"] = blocks, stop
		writeJSON(w, msg)
		return
	}
	out := newStream(w)
	out.typed(map[string]any{"type": "message_start", "message": msg})
	for i, b := range blocks {
		empty, delta := map[string]any{"type": "text", "text": ""}, map[string]any{"type": "text_delta", "text": b["text"]}
		if b["type"] == "tool_use" {
			empty = map[string]any{"type": "tool_use", "id": b["id"], "name": b["name"], "input": map[string]any{}}
			delta = map[string]any{"type": "input_json_delta", "partial_json": argsJSON(b["input"])}
		}
		out.typed(map[string]any{"type": "content_block_start", "index": i, "content_block": empty})
		out.typed(map[string]any{"type": "content_block_delta", "index": i, "delta": delta})
		out.typed(map[string]any{"type": "content_block_stop", "index": i})
	}
	out.typed(map[string]any{"type": "message_delta", "delta": map[string]any{"stop_reason": stop, "stop_sequence": nil}, "usage": map[string]any{"output_tokens": 5}})
	out.typed(map[string]any{"type": "message_stop"})
}

func anthropicBlocks(reply Reply, n int) (blocks []map[string]any) {
	if reply.Text != "" {
		blocks = append(blocks, map[string]any{"type": "text", "text": reply.Text})
	}
	for i, c := range reply.Calls {
		blocks = append(blocks, map[string]any{"type": "tool_use", "id": fmt.Sprintf("toolu_%d_%d", n, i), "name": c.Tool, "input": c.Args})
	}
	return blocks
}

func readAnthropic(r *Request) {
	for _, t := range list(r.Body["tools"]) {
		r.Tools = append(r.Tools, text(object(t)["name"]))
	}
	for _, m := range list(r.Body["messages"]) {
		for _, c := range list(object(m)["content"]) {
			if c := object(c); c["type"] == "tool_result" {
				r.Results = append(r.Results, text(c["content"]))
			}
		}
	}
}

// responses answers a request of OpenAI's Responses API.
func responses(w http.ResponseWriter, path string, raw []byte, s *Server) {
	reply, _ := s.reply(path, raw, readResponses)
	n := len(s.Requests())
	id := fmt.Sprintf("resp_%d", n)
	var items []map[string]any
	if reply.Text != "" {
		items = append(items, map[string]any{"type": "message", "id": fmt.Sprintf("msg_%d", n), "role": "assistant", "status": "completed",
			"content": []any{map[string]any{"type": "output_text", "text": reply.Text}}})
	}
	for i, c := range reply.Calls {
		item := map[string]any{"type": "function_call", "id": fmt.Sprintf("fc_%d_%d", n, i), "call_id": fmt.Sprintf("call_%d_%d", n, i),
			"name": c.Tool, "status": "completed", "arguments": argsJSON(c.Args)}
		if c.Namespace != "" {
			item["namespace"] = c.Namespace
		}
		items = append(items, item)
	}
	out := newStream(w)
	out.typed(map[string]any{"type": "response.created", "response": map[string]any{"id": id, "object": "response", "status": "in_progress", "output": []any{}}})
	for i, item := range items {
		out.typed(map[string]any{"type": "response.output_item.added", "output_index": i, "item": item})
		out.typed(map[string]any{"type": "response.output_item.done", "output_index": i, "item": item})
	}
	out.typed(map[string]any{"type": "response.completed", "response": map[string]any{"id": id, "object": "response", "status": "completed", "output": items,
		"usage": map[string]any{"input_tokens": 10, "input_tokens_details": map[string]any{"cached_tokens": 0}, "output_tokens": 5,
			"output_tokens_details": map[string]any{"reasoning_tokens": 0}, "total_tokens": 15}}})
}

func readResponses(r *Request) {
	for _, t := range list(r.Body["tools"]) {
		r.Tools = append(r.Tools, text(object(t)["name"]))
		for _, inner := range list(object(t)["tools"]) { // a namespace of tools
			r.Tools = append(r.Tools, text(object(inner)["name"]))
		}
	}
	for _, item := range list(r.Body["input"]) {
		item := object(item)
		kind := text(item["type"])
		if kind == "additional_tools" {
			r.Tools = append(r.Tools, kind)
		}
		if strings.HasSuffix(kind, "_output") {
			r.Results = append(r.Results, text(item["output"]))
		}
	}
}

// chat answers a request of OpenAI's chat completions.
func chat(w http.ResponseWriter, path string, raw []byte, s *Server) {
	reply, r := s.reply(path, raw, readChat)
	if reply.Fail != "" {
		w.WriteHeader(http.StatusBadRequest)
		writeJSON(w, map[string]any{"error": map[string]any{"message": reply.Fail, "type": "invalid_request_error"}})
		return
	}
	finish := "stop"
	var calls []map[string]any
	for i, c := range reply.Calls {
		finish = "tool_calls"
		calls = append(calls, map[string]any{"index": i, "id": fmt.Sprintf("call_%d_%d", len(s.Requests()), i), "type": "function",
			"function": map[string]any{"name": c.Tool, "arguments": argsJSON(c.Args)}})
	}
	usage := map[string]any{"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
	head := func(object string, choices ...any) map[string]any {
		return map[string]any{"id": "c1", "created": 1, "model": r.Body["model"], "object": object, "choices": choices}
	}
	if r.Body["stream"] != true {
		msg := map[string]any{"role": "assistant", "content": reply.Text}
		if len(calls) > 0 {
			msg["tool_calls"] = calls
		}
		answer := head("chat.completion", map[string]any{"index": 0, "finish_reason": finish, "message": msg})
		answer["usage"] = usage
		writeJSON(w, answer)
		return
	}
	out := newStream(w)
	delta := func(d map[string]any, finish any) {
		out.event("", head("chat.completion.chunk", map[string]any{"index": 0, "delta": d, "finish_reason": finish}))
	}
	delta(map[string]any{"role": "assistant", "content": reply.Text}, nil)
	if len(calls) > 0 {
		delta(map[string]any{"tool_calls": calls}, nil)
	}
	delta(map[string]any{}, finish)
	last := head("chat.completion.chunk")
	last["choices"], last["usage"] = []any{}, usage
	out.event("", last)
	out.event("", "[DONE]")
}

func readChat(r *Request) {
	for _, t := range list(r.Body["tools"]) {
		r.Tools = append(r.Tools, text(object(object(t)["function"])["name"]))
	}
	for _, m := range list(r.Body["messages"]) {
		if m := object(m); m["role"] == "tool" {
			r.Results = append(r.Results, text(m["content"]))
		}
	}
}

// gemini answers a request of Gemini's generateContent.
func gemini(w http.ResponseWriter, path string, raw []byte, s *Server) {
	if strings.Contains(path, ":countTokens") {
		writeJSON(w, map[string]any{"totalTokens": 10})
		return
	}
	reply, _ := s.reply(path, raw, readGemini)
	var parts []any
	if reply.Text != "" {
		parts = append(parts, map[string]any{"text": reply.Text})
	}
	for _, c := range reply.Calls {
		parts = append(parts, map[string]any{"functionCall": map[string]any{"name": c.Tool, "args": c.Args}})
	}
	answer := map[string]any{
		"candidates":    []any{map[string]any{"content": map[string]any{"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}},
		"usageMetadata": map[string]any{"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15}, "modelVersion": "scripted",
	}
	if strings.Contains(path, ":streamGenerateContent") {
		newStream(w).event("", answer)
		return
	}
	writeJSON(w, answer)
}

func readGemini(r *Request) {
	for _, t := range list(r.Body["tools"]) {
		for _, f := range list(object(t)["functionDeclarations"]) {
			r.Tools = append(r.Tools, text(object(f)["name"]))
		}
	}
	for _, c := range list(r.Body["contents"]) {
		for _, p := range list(object(c)["parts"]) {
			if f := object(object(p)["functionResponse"]); f != nil {
				r.Results = append(r.Results, geminiText(object(f["response"])))
			}
		}
	}
}

// geminiText returns the text of a function's response, usually under "output".
func geminiText(response map[string]any) string {
	for _, key := range []string{"output", "error"} {
		if s, ok := response[key].(string); ok {
			return s
		}
	}
	line, _ := json.Marshal(response)
	return string(line)
}
