import { startTestSystem, type TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll } from 'vitest'
import { brokenExportTests } from './operators/broken-exports.ts'
import { commandTests } from './operators/commands.ts'
import { createIntegrationTests } from './operators/create-integration.ts'
import { importedUserTests } from './operators/imported-users.ts'
import { logEntriesTests } from './operators/log-entries.ts'
import { organizationStreamTests } from './operators/organization-stream.ts'
import { printingTests } from './operators/printing.ts'
import { renderAgainTests } from './operators/render-again.ts'
import { replayTests } from './operators/replay.ts'

let product: TestSystem
beforeAll(async () => {
  product = await startTestSystem({
    env: process.env,
    replicas: { messaging: 2 },
    serviceEnv: { TRUST_PROXY: 'true' },
  })
}, 180_000)
afterAll(() => product?.stop(), 60_000)

replayTests(() => product)
commandTests(() => product)
createIntegrationTests(() => product)
logEntriesTests(() => product)
printingTests(() => product)
brokenExportTests(() => product)
importedUserTests(() => product)
renderAgainTests(() => product)
// Last: it adds an organization.
organizationStreamTests(() => product)
