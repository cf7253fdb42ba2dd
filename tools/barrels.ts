// Writes the lists of what is declared and implemented, so that nobody keeps them (`npm run gen` does too):
//
//   libs/contracts/src/registries   every endpoint, event and call between services, by owner: what is in the owner's folders
//   libs/*/src/index.ts             of contracts and the service kit: what the rest of the repository imports, and the types
//                                   of the same modules
//   libs/contracts/src/events/client-events/all.ts
//                                   every event for clients: the lists `…Events` of that folder
//   services/*/src/handlers.ts      each endpoint and call of a service with the function that handles it: `handleX` for `x`
//   services/events/src/rendering/all-presentations.ts
//                                   what each event becomes for clients: what `present` returns in that folder
//   tests/system/samples/sample-lists.ts
//                                   the lists `…Samples` of its folders
//
//   node tools/barrels.ts            writes what changed
//   node tools/barrels.ts --check    writes nothing, and fails if something is out of date

import { updateBarrels } from './barrels/update-barrels.ts'

const isCheck = process.argv.includes('--check')
const { outdated, gaps } = updateBarrels({ isCheck })
for (const gap of gaps) console.error(gap)
if (gaps.length > 0) process.exitCode = 1
if (isCheck && outdated.length > 0) {
  console.error(`Out of date, run \`npm run gen\`: ${outdated.join(', ')}`)
  process.exitCode = 1
}
