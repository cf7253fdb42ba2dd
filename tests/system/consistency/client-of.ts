import { type Account, ApiClient } from '@tms/test-kit'

/** A client of an account of the same organization, at the same gateway. */
export function clientOf(client: ApiClient, account: Account | null): ApiClient {
  return new ApiClient(client.baseUrl, account, undefined, client.host)
}

/** The address of a bot by its short name. */
export function botAddress(shortName: string, hostname: string): string {
  return `${shortName}-bot@${hostname}`
}
