import { startTestSystem, stopPolling, type TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, describe } from 'vitest'
import { DocumentedAnswers } from './documented-answers.ts'
import { IncompatibleAnswers } from './incompatible-answers.ts'
import { newWebPushKeys } from './push-service.ts'

type Suite = (system: () => TestSystem) => void

/** The results of comparing every response with the API documents, and with the expectations of existing clients. */
export interface CheckedAnswers {
  readonly documented: DocumentedAnswers
  readonly incompatible: IncompatibleAnswers
}

/** A system whose responses are all checked. */
export interface ApiUnderTest {
  readonly system: () => TestSystem
  readonly answers: CheckedAnswers
  /** Runs a suite: its resources exist for its own tests only, not for the whole file. */
  readonly run: (suite: Suite) => void
}

/**
 * Runs a system for the tests of this file, with two replicas of the busiest services. `prepare` runs before and returns
 * further variables of services.
 */
export function startApi(
  prepare: () => Promise<NodeJS.ProcessEnv> = () => Promise.resolve({}),
  options: Pick<Parameters<typeof startTestSystem>[0], 'logLevel'> = {},
): ApiUnderTest {
  const answers = { documented: new DocumentedAnswers(), incompatible: new IncompatibleAnswers() }
  let product: TestSystem
  beforeAll(async () => {
    const prepared = await prepare()
    product = await startTestSystem({
      ...options,
      env: process.env,
      usersHavePasswords: false,
      replicas: { events: 2, messaging: 2 },
      serviceEnv: {
        FAILED_LOGINS_PER_MINUTE: '0',
        ...newWebPushKeys(),
        UPLOAD_QUOTA_MIB: '200',
        DEVELOPMENT_LOGIN: 'true',
        INVITES_PER_DAY: '0',
        MAX_EXPORTS_PER_WEEK: '100',
        INVITES_PER_DAY_OF_NEW_REALMS: '0',
        ...prepared,
        // `fetch` can select an organization only by the headers of a proxy.
        TRUST_PROXY: 'true',
      },
      onAnswer: (exchange) => {
        answers.documented.check(exchange)
        answers.incompatible.check(exchange)
      },
    })
  }, 180_000)
  afterAll(() => product.stop(), 60_000)
  const system = () => product
  const run = (suite: Suite) => {
    describe(suite.name, () => {
      suite(system)
      afterAll(stopPolling)
    })
  }
  return { system, answers, run }
}
