import { readFileSync } from 'node:fs'
import { createLog, createPool, type Pool } from '@tms/service-kit'
import { startTestSystem, type TestSystem } from '@tms/test-kit'
import { type AppPushService, startApns, startFcm } from './app-push-services.ts'
import { createTestAuthority } from './test-authority.ts'

/** A system that reaches apps at stand-ins of Google's and Apple's services. */
export interface AppPushSystem {
  readonly product: TestSystem
  readonly messagingDb: Pool
  readonly fcm: AppPushService
  readonly apns: AppPushService
  /** Stops everything, and returns what was wrong with requests, by service. */
  stop(): Promise<(readonly string[])[]>
}

/** Starts one, with further variables of the services. */
export async function startAppPushSystem(
  serviceEnv: Readonly<Record<string, string>> = {},
): Promise<AppPushSystem> {
  const authority = createTestAuthority('Test authority')
  const { TLS_CA_FILE, TLS_CERTIFICATE_FILE, TLS_KEY_FILE } = authority.variables
  const fcm = await startFcm()
  const apns = await startApns({
    cert: readFileSync(TLS_CERTIFICATE_FILE, 'utf8'),
    key: readFileSync(TLS_KEY_FILE, 'utf8'),
  })
  const product = await startTestSystem({
    env: process.env,
    usersHavePasswords: false,
    serviceEnv: { TLS_CA_FILE, MOBILE_PUSH: 'fcm, apns', ...fcm.variables, ...apns.variables, ...serviceEnv },
  })
  const messagingDb = createPool(product.system.databaseUrls.messaging, 1, createLog('test', 'silent'))
  return {
    ...{ product, messagingDb, fcm, apns },
    stop: async () => {
      await messagingDb.end()
      await product.stop()
      for (const service of [fcm, apns]) service.close()
      authority.remove()
      return [fcm.faults, apns.faults]
    },
  }
}
