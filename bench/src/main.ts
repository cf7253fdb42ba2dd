import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { areReplicated, type Options, parseOptions } from './measures/options.ts'
import { type ChartName, chartTitles, drawBars } from './report/bar-chart.ts'
import { writeCosts } from './report/measured-costs.ts'
import { createProgress } from './report/progress.ts'
import { targetTable } from './report/section.ts'
import { asMarkdown, asText, type Table } from './report/table.ts'
import { writeBlock } from './report/write-docs.ts'
import { type RunResult, runSections } from './run-sections.ts'
import { fullSizes, quickSizes } from './setup/sizes.ts'

/**
 * `npm run bench` after the build: measures, prints, writes `.local/bench/<time>.json`. Returns the exit code. Throws an error
 * whose message is for the user.
 */
export async function runBench(
  args: string[],
  { env, repoRoot }: { env: NodeJS.ProcessEnv; repoRoot: string },
): Promise<number> {
  const options = parseOptions(args)
  const folder = join(repoRoot, '.local', 'bench')
  const name = new Date().toISOString().slice(0, 19).replaceAll(':', '-')
  const profileDir = options.isProfiling ? join(folder, `${name}-profiles`) : null
  mkdirSync(profileDir ?? folder, { recursive: true })

  const controller = new AbortController()
  const stop = () => controller.abort(new Error('interrupted'))
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) process.on(signal, stop)
  try {
    const result = await runSections({
      sections: options.sections,
      sizes: options.isQuick ? quickSizes : fullSizes,
      repoRoot,
      dataDir: join(folder, `data-${name}`),
      profileDir,
      env,
      signal: controller.signal,
      progress: createProgress(process.stderr),
      onTable: (table) => process.stdout.write(`\n${asText(table)}\n`),
    })
    writeFileSync(
      join(folder, `${name}.json`),
      `${JSON.stringify({ time: name, ...options, ...result }, null, 1)}\n`,
    )
    process.stdout.write(`\n${head(result, options)}\nAs JSON: .local/bench/${name}.json\n`)
    if (options.writesDocs) {
      const block = areReplicated(options.sections) ? 'replicated' : 'whole'
      const charts = drawCharts(result)
      for (const { path, svg } of charts) writeFileSync(join(repoRoot, 'docs', path), svg)
      writeBlock(repoRoot, 'docs/performance.md', block, asDocument(result, options, name, charts))
      const costs = result.sections.map((section) => section.costs ?? {})
      if (block === 'whole') writeCosts(repoRoot, costs, `${head(result, options)} ${name.slice(0, 10)}.`)
    }
    return 0
  } catch (err) {
    if (!controller.signal.aborted) throw err
    process.stderr.write('Interrupted; everything that was started is stopped.\n')
    return 130
  } finally {
    for (const signal of signals) process.off(signal, stop)
  }
}

function head({ machine }: RunResult, { isQuick }: Options): string {
  const noise =
    machine.loadBefore > 0.5
      ? ` Others were at work when it began (load ${machine.loadBefore.toFixed(1)}): not for comparing.`
      : ''
  return `Machine: ${machine.description}. Commit ${machine.commit}.${isQuick ? ' A quick run.' : ''}${noise}`
}

interface Chart {
  readonly title: string
  /** Within docs/. */
  readonly path: string
  readonly svg: string
}

function drawCharts({ sections }: RunResult): Chart[] {
  const bars = sections.flatMap((section) => [...(section.bars ?? [])])
  return (Object.keys(chartTitles) as ChartName[]).flatMap((name) => {
    const own = bars.filter(({ chart }) => chart === name)
    const path = `pictures/performance-${name}.svg`
    return own.length === 0 ? [] : [{ title: chartTitles[name], path, svg: drawBars(name, own) }]
  })
}

/** The targets and the charts to look at, and all else behind a line that unfolds. */
function asDocument(result: RunResult, options: Options, name: string, charts: readonly Chart[]): string {
  const tables: Table[] = result.sections.flatMap((section) => [...section.tables])
  return [
    `${head(result, options)} ${name.slice(0, 10)}.`,
    ...(result.targets.length > 0 ? [asMarkdown(targetTable(result.targets))] : []),
    ...charts.map(({ title, path }) => `![${title}](${path})`),
    '<details>\n<summary>All tables of this run</summary>',
    ...tables.map(asMarkdown),
    '</details>',
  ].join('\n\n')
}
