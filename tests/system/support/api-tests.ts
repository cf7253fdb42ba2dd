import { startTestSystem, stopFollowing, type TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, describe } from 'vitest'
import { DocumentedAnswers } from './documented-answers.ts'
import { UnfitAnswers } from './unfit-answers.ts'

type Suite = (system: () => TestSystem) => void

/** What became of comparing every answer with the API's documents, and with what clients rely on. */
export interface SeenAnswers {
  readonly documented: DocumentedAnswers
  readonly unfit: UnfitAnswers
}

/** A system whose every answer is compared. */
export interface ApiUnderTest {
  readonly system: () => TestSystem
  readonly answers: SeenAnswers
  /** Runs a suite: what it sets up is there for its own tests alone, not from the file's beginning to its end. */
  readonly run: (suite: Suite) => void
}

/**
 * Has a system run during the tests of this file, two replicas of the services that do most of the work. `prepare` is done
 * before, and gives services more variables.
 */
export function startApi(
  prepare: () => Promise<NodeJS.ProcessEnv> = () => Promise.resolve({}),
): ApiUnderTest {
  const answers = { documented: new DocumentedAnswers(), unfit: new UnfitAnswers() }
  let product: TestSystem
  beforeAll(async () => {
    const prepared = await prepare()
    product = await startTestSystem({
      env: process.env,
      replicas: { events: 2, messaging: 2 },
      serviceEnv: {
        FAILED_LOGINS_PER_MINUTE: '0',
        UPLOAD_QUOTA_MIB: '200',
        DEVELOPMENT_LOGIN: 'true',
        INVITES_PER_DAY: '0',
        MAX_EXPORTS_PER_WEEK: '100',
        INVITES_PER_DAY_OF_NEW_REALMS: '0',
        ...prepared,
        // `fetch` can't say of which organization it asks but as proxies do.
        TRUST_PROXY: 'true',
      },
      onAnswer: (exchange) => {
        answers.documented.check(exchange)
        answers.unfit.check(exchange)
      },
    })
  }, 180_000)
  afterAll(() => product.stop(), 60_000)
  const system = () => product
  const run = (suite: Suite) => {
    describe(suite.name, () => {
      suite(system)
      afterAll(stopFollowing)
    })
  }
  return { system, answers, run }
}
