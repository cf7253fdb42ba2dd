import type { FeatureLevel } from '../declarations/feature-level.ts'
import { featureLevels } from '../declarations/feature-levels.ts'
import { serverVersion } from '../declarations/limits.ts'
import { markdownTable } from './markdown-table.ts'

/** `docs/feature-levels.md`: what each feature level is here. */
export function featureLevelsDocument(): string {
  const { featureLevel } = serverVersion
  const rows = featureLevels.map((one) => [String(one.level), one.change, describeState(one)])
  return `# Feature levels

For authors of clients. A server tells its feature level in \`POST /register\` and \`GET /server_settings\`; a client compares it with the
levels that it knows. This server's is **${featureLevel}**: everything up to it holds, except what is refused here on purpose. What a
higher level adds may be there already; what it removes is still there. \`node tools/api-documents.ts\` writes this page from
[\`feature-levels.ts\`](../libs/contracts/src/declarations/feature-levels.ts).

Whatever the API document of level 275 describes stays, also where a later level removed it.

${markdownTable(['level', 'change', 'here'], rows)}
`
}

function describeState({ state, note, test, decision }: FeatureLevel): string {
  const sources = [
    ...(decision ? [`[decision](${decision.replace(/^docs\//, '')})`] : []),
    ...(test ? [`[test](../${test[0]})`] : []),
  ]
  const shown = sources.length > 0 ? `${state} (${sources.join(', ')})` : state
  return note ? `${shown}: ${note}` : shown
}
