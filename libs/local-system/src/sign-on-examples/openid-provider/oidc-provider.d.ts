/** The part of the OpenID provider that the example and the tests use; it brings no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  interface Grant {
    addOIDCScope(scope: string): void
    save(): Promise<string>
  }

  interface GrantContext {
    readonly oidc: {
      readonly provider: { readonly Grant: new (of: { clientId: string; accountId: string }) => Grant }
      readonly client: { readonly clientId: string }
      readonly session: { readonly accountId: string }
    }
  }

  interface Check {
    readonly reason: string
  }

  interface PromptContext {
    readonly oidc: { readonly result?: { readonly login?: object } }
  }

  interface Policy {
    get(prompt: 'login'): { readonly checks: { add(check: Check): void } }
  }

  export const interactionPolicy: {
    base(): Policy
    readonly Check: new (reason: string, description: string, asks: (ctx: PromptContext) => boolean) => Check
  }

  interface Configuration {
    readonly clients: readonly object[]
    readonly cookies: { readonly keys: readonly string[] }
    readonly jwks?: { readonly keys: readonly object[] }
    readonly claims: Readonly<Record<string, readonly string[]>>
    readonly features: Readonly<Record<string, { readonly enabled: boolean }>>
    readonly pkce?: { readonly required: () => boolean }
    readonly interactions: {
      readonly url: (ctx: unknown, interaction: { readonly uid: string }) => string
      readonly policy?: Policy
    }
    readonly findAccount: (ctx: unknown, id: string) => Promise<object | undefined>
    readonly loadExistingGrant: (ctx: GrantContext) => Promise<Grant>
  }

  export default class Provider {
    constructor(issuer: string, configuration: Configuration)
    callback(): (request: IncomingMessage, response: ServerResponse) => void
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: { readonly login: { readonly accountId: string } } | { readonly error: string },
    ): Promise<void>
  }
}
