import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { wordIssue } from './describe-issue.ts'

/**
 * Parses a service's variables. Each may also be the content of a file that `<name>_FILE` names, as secrets usually
 * are. An empty variable counts as absent, unless its declaration gives emptiness a meaning: `meta({ takesEmpty: true
 * })`. `meta({ needs: [names] })` names other variables that it requires. Throws one error that lists every problem,
 * so that an operator can fix all at once.
 */
export function parseEnvironment<S extends z.ZodObject>(
  schema: S,
  environment: Readonly<Record<string, string | undefined>>,
): z.output<S> {
  const { values, problems } = withFiles(schema, environment)
  const parsed = schema.safeParse(values, { error: wordIssue })
  for (const issue of parsed.error?.issues ?? []) {
    const name = String(issue.path[0])
    if (problems.has(name)) continue
    problems.set(name, values[name] === undefined ? 'is required' : issue.message)
  }
  for (const [name, problem] of missingBeside(schema, values)) {
    if (!problems.has(name)) problems.set(name, problem)
  }
  if (parsed.success && problems.size === 0) return parsed.data
  const lines = [...problems].map(([name, problem]) => {
    const { description } = metaOf(schema, name)
    return typeof description === 'string'
      ? `  ${name} ${problem}\n    ${description}`
      : `  ${name} ${problem}`
  })
  throw new Error(`Invalid configuration:\n${lines.join('\n')}`)
}

/** The environment with the variables read from files, and the problems of those files by variable. */
function withFiles(
  schema: z.ZodObject,
  environment: Readonly<Record<string, string | undefined>>,
): { values: Record<string, string | undefined>; problems: Map<string, string> } {
  const values = { ...environment }
  const problems = new Map<string, string>()
  for (const name of Object.keys(schema.shape)) {
    const path = environment[`${name}_FILE`]
    if (path) {
      if (environment[name]) problems.set(name, `is given twice: by itself and by ${name}_FILE`)
      else readInto(values, name, path, problems)
    }
    // Compose passes every variable that its file names, empty if it is not set.
    if (values[name] === '' && metaOf(schema, name).takesEmpty !== true) delete values[name]
  }
  return { values, problems }
}

function readInto(
  values: Record<string, string | undefined>,
  name: string,
  path: string,
  problems: Map<string, string>,
): void {
  try {
    // Editors end a file with a line break, which belongs to no secret.
    values[name] = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  } catch (err) {
    const { code } = err as NodeJS.ErrnoException
    problems.set(name, `can't be read from ${path}, which ${name}_FILE names (${code})`)
  }
}

/** Variables that are set, or switched on, without those that they need. */
function missingBeside(
  schema: z.ZodObject,
  values: Readonly<Record<string, string | undefined>>,
): (readonly [name: string, problem: string])[] {
  const isOff = (name: string) => schema.shape[name]?.safeParse(values[name]).data === false
  return Object.keys(schema.shape).flatMap((name) => {
    const { needs } = metaOf(schema, name)
    if (!Array.isArray(needs) || values[name] === undefined || isOff(name)) return []
    const missing = needs.filter((needed) => values[needed] === undefined)
    return missing.length === 0 ? [] : [[name, `needs ${missing.join(' and ')}`] as const]
  })
}

function metaOf(schema: z.ZodObject, name: string): Readonly<Record<string, unknown>> {
  return (schema.shape[name] as z.ZodType | undefined)?.meta() ?? {}
}
