import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWTHeaderParameters, SignJWT } from 'jose'

type Json = Readonly<Record<string, unknown>>
type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** An OpenID provider that can be made to lie. */
export interface FakeOpenIdServer {
  readonly issuer: string
  /** Changes the next tokens and answers. */
  lies: {
    claims?: Json
    header?: JWTHeaderParameters
    /** Writes the token otherwise. */
    token?: (claims: Json) => string | Promise<string>
    userInfo?: Json
    discovery?: Json
    /** Answers these paths instead. */
    paths?: Readonly<Record<string, Answer>>
  }
  /** Form fields of the latest token request. */
  readonly asked: () => URLSearchParams
  /** The provider's key gets a successor. */
  replaceKey(): Promise<void>
  readonly publicJwk: () => Json
  setNonce(nonce: string): void
  stop(): void
}

export const CLIENT_ID = 'chat'

export async function startFakeOpenIdServer(): Promise<FakeOpenIdServer> {
  let kid = 0
  let nonce = ''
  let asked = new URLSearchParams()
  let pair = await generateKeyPair('RS256')
  let jwk: Json = { ...(await exportJWK(pair.publicKey)), kid: String(kid), alg: 'RS256', use: 'sig' }
  const server = createServer((request, response) => void serve(request, response))
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const sign = async (): Promise<string> => {
    const { claims, header, token } = fake.lies
    const all: Json = {
      ...{ iss: issuer, sub: 'ada', aud: CLIENT_ID, nonce },
      ...{ iat: Math.floor(Date.now() / 1_000), exp: Math.floor(Date.now() / 1_000) + 300 },
      ...claims,
    }
    if (token) return token(all)
    return new SignJWT(all)
      .setProtectedHeader({ alg: 'RS256', kid: String(kid), ...header })
      .sign(pair.privateKey)
  }
  const answer = (response: ServerResponse, value: unknown) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = new URL(request.url ?? '/', issuer).pathname
    const lie = fake.lies.paths?.[path]
    if (lie) return lie(request, response)
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    switch (path) {
      case '/.well-known/openid-configuration':
        return void answer(response, {
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          userinfo_endpoint: `${issuer}/userinfo`,
          jwks_uri: `${issuer}/keys`,
          ...fake.lies.discovery,
        })
      case '/keys':
        return void answer(response, { keys: [jwk] })
      case '/token':
        asked = new URLSearchParams(Buffer.concat(chunks).toString())
        return void answer(response, {
          access_token: 'access',
          token_type: 'Bearer',
          id_token: await sign(),
        })
      case '/userinfo':
        return void answer(response, { sub: 'ada', ...fake.lies.userInfo })
      default:
        return void response.writeHead(404).end()
    }
  }
  const fake: FakeOpenIdServer = {
    issuer,
    lies: {},
    asked: () => asked,
    replaceKey: async () => {
      pair = await generateKeyPair('RS256')
      jwk = { ...(await exportJWK(pair.publicKey)), kid: String(++kid), alg: 'RS256', use: 'sig' }
    },
    publicJwk: () => jwk,
    setNonce: (value) => {
      nonce = value
    },
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
  return fake
}
