import { AppError, type EndpointInput, type endpoints, limits, tokenScopes } from '@tms/contracts'
import { type Handler, RedirectAnswer } from '@tms/service-kit'
import { createTokenFor, type WantedToken } from '../api-tokens/create-api-token.ts'
import { revokeToken } from '../api-tokens/revoke-api-token.ts'
import type { DirectoryContext } from '../directory/directory-context.ts'
import { findRefusal, visitOfForm } from './account-visit.ts'
import { ACCOUNT_PATH } from './page-request.ts'
import { showAccount } from './show-account.ts'
import { apiTokenView, type TokenForm } from './token-views.ts'

type Endpoint = typeof endpoints.users.submitTokensForm
type Input = EndpointInput<Endpoint>

const SECONDS_OF_DAY = 86_400

/** Revokes a token, for which a session is enough: or makes one, which needs the proof that showing the key needs. */
export const handleSubmitTokensForm: Handler<Endpoint, DirectoryContext> = async (request) => {
  const visit = await visitOfForm(request)
  if (!('session' in visit)) return visit
  const { realm, account } = visit
  const { context, input, requestId } = request
  const caller = { userId: account.id, realmId: account.realmId, role: account.role, isBot: false }
  if (input.revoke !== undefined) {
    const id = Number(input.revoke)
    // Loading the page again, or revoking it in two windows, is no mistake.
    if (Number.isSafeInteger(id)) await revokeToken(context, caller, id, requestId)
    return new RedirectAnswer(`${ACCOUNT_PATH}#tokens`)
  }
  const tokenForm = readTokenForm(input)
  const refusal = await findRefusal(request, visit)
  if (refusal) {
    const { wrong, ...more } = refusal
    return showAccount(request, visit, { ...more, tokenForm: { ...tokenForm, wrongPassword: wrong } })
  }
  try {
    const { token, record } = await createTokenFor(context, caller, wantedOf(tokenForm), requestId)
    return apiTokenView(realm, { token, name: record.name, email: account.deliveryEmail })
  } catch (err) {
    if (!(err instanceof AppError) || err.status >= 500) throw err
    return showAccount(request, visit, { tokenForm: { ...tokenForm, wrong: err.message } })
  }
}

function readTokenForm(input: Input): TokenForm {
  return {
    name: input.name ?? '',
    scopes: tokenScopes.filter((scope) => input[scope] !== undefined),
    channels: input.channels ?? '',
    days: input.days ?? '',
  }
}

/** Throws BAD_REQUEST. */
function wantedOf({ name, scopes, channels, days }: TokenForm): WantedToken {
  if (scopes.length === 0)
    throw new AppError('BAD_REQUEST', { message: 'Choose at least one thing that the token may do' })
  const names = channels
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  if (names.length > limits.maxApiTokenChannels)
    throw new AppError('BAD_REQUEST', {
      message: `A token can be limited to at most ${limits.maxApiTokenChannels} channels`,
    })
  return {
    ...{ name, scopes, botId: null },
    channels: names.length === 0 ? null : { ids: [], names },
    lifeSeconds: days === '' ? null : lifeOf(days),
  }
}

function lifeOf(days: string): number {
  const seconds = Number(days) * SECONDS_OF_DAY
  if (!(Number.isInteger(seconds) && seconds >= SECONDS_OF_DAY && seconds <= limits.maxApiTokenSeconds))
    throw new AppError('BAD_REQUEST', { message: 'Choose how long the token is valid' })
  return seconds
}
