import { afterAll, beforeAll } from '@jest/globals'
import { startTestSystem, type TestSystem } from '@tms/test-kit'
import { bulkFlagTests } from './api/bulk-flags.ts'
import { channelTests } from './api/channels.ts'
import { concurrencyTests } from './api/concurrency.ts'
import { errorTests } from './api/errors.ts'
import { eventTests } from './api/events.ts'
import { everyEndpointTests } from './api/every-endpoint.ts'
import { fetchingTests } from './api/fetching.ts'
import { flagTests } from './api/flags.ts'
import { narrowTests } from './api/narrows.ts'
import { registerTests } from './api/register.ts'
import { renderingTests } from './api/rendering.ts'
import { repeatedSendTests } from './api/repeated-sends.ts'
import { sendingTests } from './api/sending.ts'
import { serverTests } from './api/servers.ts'
import { typingTests } from './api/typing.ts'
import { uploadTests } from './api/uploads.ts'
import { userTests } from './api/users.ts'

let product: TestSystem
beforeAll(async () => {
  product = await startTestSystem({
    env: process.env,
    replicas: { events: 2, messaging: 2 },
    serviceEnv: { FAILED_LOGINS_PER_MINUTE: '0', UPLOAD_QUOTA_MIB: '200' },
  })
}, 180_000)
afterAll(() => product.stop(), 60_000)

const system = () => product
userTests(system)
channelTests(system)
sendingTests(system)
renderingTests(system)
repeatedSendTests(system)
typingTests(system)
fetchingTests(system)
flagTests(system)
bulkFlagTests(system)
narrowTests(system)
uploadTests(system)
registerTests(system)
eventTests(system)
errorTests(system)
everyEndpointTests(system)
concurrencyTests(system)
serverTests(system)
