// `npm run bench`: prepares the checkout and starts bench/.

import { createProgress } from './bootstrap/progress.ts'
import { prepareWorkspace } from './bootstrap.ts'
import { repoRoot } from './repo-root.ts'
import { runMain } from './run-main.ts'

// A copy, since it must work before anything is installed; bench/ owns the options, and a test there compares the two.
const HELP = `npm run bench [-- flags]

Measures the system on this machine, on servers and services of its own, and prints a table. It takes some
minutes; run nothing else meanwhile. Ctrl-C stops everything it started.

Flags
  --only <list>     only these parts, as in send,latency (default: all but the last two)
  --quick           fewer and shorter measurements: for a first look, not for comparing
  --profile         a CPU profile of every service during each load, beside the JSON file
  --write-docs      put the result of this run into docs/performance.md, and its costs into
                    manage capacity; then run: node tools/capacity-document.ts
  --help            this text

Parts
  parts       what the bare parts can do: HTTP servers, a proxy, PostgreSQL, RabbitMQ
  send        sends per second
  latency     a send to channels of growing size
  moves       1,000 messages to another topic, and to another channel
  delivery    from a send to its arrival in a long-poll
  breakdown   where the time of a send and its delivery goes
  rendering   Markdown: what people send, and hostile texts
  narrow      pages of every kind of narrow, in a million messages
  search      the same for words, frequent and rare
  flags       flags of many messages at once
  presence    pings per second
  mentions    sends with a mention each, that mails and pushes follow
  queues      deliveries per second to many live queues
  nchan       the same load to nginx's long-poll module, if it is installed (Debian: nginx, libnginx-mod-nchan)
  signing-in  sign-ins, and calls of users that the gateway knows
  changes     changes until they are in force everywhere, and sends beside them
  memory      what an idle client costs, by poll and by stream
  register    registrations among 10,000 and 50,000 people: time, size, memory

Parts that run only when they are named, on two replicas of events and three gateways
  handover    what clients wait while replicas of events come, go and die
  scale       20,000 live queues and polls for ten minutes, beside 100

Figures, as JSON: .local/bench/<time>.json. How to read them: docs/performance.md.`

async function main(args: string[]): Promise<number> {
  if (args.includes('--help')) {
    console.log(HELP)
    return 0
  }
  await prepareWorkspace(createProgress(process.stderr))
  const { runBench } = await import('../bench/dist/main.js')
  return runBench(args, { env: process.env, repoRoot })
}

await runMain(main)
