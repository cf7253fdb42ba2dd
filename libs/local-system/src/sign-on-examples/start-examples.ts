import { directoryExample } from './directory-example.ts'
import type { Example, ExampleContext, RunningExample, SignOnPart } from './example.ts'
import type { ExampleName } from './example-names.ts'
import { openIdExample } from './openid-example.ts'
import { examplePeople, loadExamplePassword } from './people.ts'
import { samlExample } from './saml-example.ts'

const examples: Record<ExampleName, Example> = {
  ldap: directoryExample,
  oidc: openIdExample,
  saml: samlExample,
}

/** Ways to sign in that run beside the services. */
export type SignOnExamples = {
  /** The variable of that name, by which services know them. */
  readonly SIGN_ON: string
  readonly password: string
  /** For the terminal. `address` is the organization's, where the log-in page is. */
  describe(address: string): string
  stop(): Promise<void>
  kill(): Promise<void>
}

/** Installs what these examples need. Throws an error that says what to install. */
export async function prepareExamples(
  names: readonly ExampleName[],
  context: Parameters<Example['prepare']>[0],
): Promise<void> {
  for (const name of names) await examples[name].prepare(context)
}

/** Starts examples. If one fails, stops the others and throws. */
export async function startExamples(
  names: readonly ExampleName[],
  context: Omit<ExampleContext, 'people' | 'password'>,
): Promise<SignOnExamples> {
  const { onStep, dataDir } = context
  const password = loadExamplePassword(dataDir)
  const running = new Map<ExampleName, RunningExample>()
  const each = async (work: (example: RunningExample) => Promise<void>) => {
    await Promise.allSettled([...running.values()].map(work))
  }
  const stop = () => each(({ process }) => process.stop())
  try {
    for (const name of names) {
      const started = onStep(`starting the example of ${name}`)
      running.set(name, await examples[name].start({ ...context, people: examplePeople, password }))
      started(`started the example of ${name}`)
    }
  } catch (err) {
    await stop()
    throw err
  }
  return {
    SIGN_ON: JSON.stringify(joinParts([...running.values()].map(({ signOn }) => signOn))),
    password,
    describe: (address) => describeExamples(running, address, password),
    stop,
    kill: () => each(({ process }) => process.kill()),
  }
}

export function joinParts(parts: readonly SignOnPart[]): SignOnPart {
  const providers = parts.flatMap((part) => part.providers ?? [])
  return Object.assign({}, ...parts, providers.length > 0 && { providers })
}

function describeExamples(
  running: ReadonlyMap<ExampleName, RunningExample>,
  address: string,
  password: string,
): string {
  const names = examplePeople.map(({ name }) => name).join(', ')
  return [
    `Other ways to sign in, in a browser at ${address}/login/`,
    '',
    ...[...running].map(([name, { hint }]) => `  ${name.padEnd(8)}  ${hint}`),
    `  people    ${names}: an administrator, a member and a guest`,
    `  password  ${password}`,
    '',
    '  npm run manage -- check-sign-on    tries them, step by step',
  ].join('\n')
}
