import type { endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import { completePostedSaml, completeRedirectedSaml, SAML_BACKEND } from './complete-saml.ts'
import { complete } from './complete-sign-in.ts'
import type { SignOnContext } from './sign-on-context.ts'

type Pages = typeof endpoints.users

export const handleCompleteExternalSignIn: Handler<Pages['completeExternalSignIn'], SignOnContext> = (
  request,
) =>
  request.input.backend === SAML_BACKEND
    ? completeRedirectedSaml(request)
    : complete(request, request.input.backend)

export const handleCompleteProviderSignIn: Handler<Pages['completeProviderSignIn'], SignOnContext> = (
  request,
) => complete(request, `${request.input.backend}/${request.input.provider}`)

export const handleCompletePostedSignIn: Handler<Pages['completePostedSignIn'], SignOnContext> = (request) =>
  request.input.backend === SAML_BACKEND
    ? completePostedSaml(request)
    : complete(request, request.input.backend)
