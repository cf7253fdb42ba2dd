import { auditLogTests } from './api/audit-log.ts'
import { concurrencyTests } from './api/concurrency.ts'
import { deactivationTests } from './api/deactivation.ts'
import { documentTests } from './api/documents.ts'
import { effectiveSettingTests } from './api/effective-settings.ts'
import { emailDomainTests } from './api/email-domains.ts'
import { errorTests } from './api/errors.ts'
import { eventTests } from './api/events.ts'
import { everyEndpointTests } from './api/every-endpoint.ts'
import { existingClientTests } from './api/existing-client.ts'
import { exportTests } from './api/exports.ts'
import { groupSettingTests } from './api/group-settings.ts'
import { linkifierTests } from './api/linkifiers.ts'
import { methodFieldTests } from './api/method-field.ts'
import { metricTests } from './api/metrics.ts'
import { mobileAppTests } from './api/mobile-app.ts'
import { organizationTests } from './api/organization.ts'
import { playgroundTests } from './api/playgrounds.ts'
import { realmPictureTests } from './api/realm-pictures.ts'
import { registerTests } from './api/register.ts'
import { revokedAccessTests } from './api/revoked-access.ts'
import { serverTests } from './api/servers.ts'
import { traceTestsWith } from './api/traces.ts'
import { typescriptClientTests } from './api/typescript-client.ts'
import { startApi } from './support/api-tests.ts'
import { createTraceCollector } from './support/trace-collector.ts'

const collector = createTraceCollector()
// A sample calls this machine.
const { system, answers, run } = startApi(
  async () => ({ ...(await collector.start()), WEBHOOKS_TO_PRIVATE_ADDRESSES: 'true' }),
  { logLevel: 'info' },
)
run(registerTests)
run(eventTests)
run(organizationTests)
run(linkifierTests)
run(deactivationTests)
run(auditLogTests)
run(playgroundTests)
run(emailDomainTests)
run(exportTests)
run(revokedAccessTests)
run(realmPictureTests)
run(effectiveSettingTests)
run(errorTests)
run(methodFieldTests)
run(groupSettingTests)
run(everyEndpointTests)
run(concurrencyTests)
run(serverTests)
run(metricTests)
run(traceTestsWith(collector))
run(typescriptClientTests)
run(existingClientTests)
run(mobileAppTests)
documentTests(system, answers, { topic: 'the rest', everyOperation: true })
