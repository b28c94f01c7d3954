// Package dotnet declares the tools of .NET: dotnet, which builds and tests, and the C# compilers.
package dotnet

import "cairn/parsers/tool"

// Room holds the tools that are declared in this folder.
var Room tool.Room
