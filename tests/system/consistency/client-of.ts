import { type Account, ApiClient } from '@tms/test-kit'

/** The client of an account of the same organization, at the same gateway. */
export function clientOf(client: ApiClient, account: Account | null): ApiClient {
  return new ApiClient(client.baseUrl, account, undefined, client.host)
}

/** The address that bots have by their short names. */
export function botAddress(shortName: string, hostname: string): string {
  return `${shortName}-bot@${hostname}`
}
