import { z } from 'zod'
import { endpoint } from '../../declarations/endpoint.ts'
import { limits } from '../../declarations/limits.ts'
import { optionalText, pathText } from '../../declarations/parameter.ts'
import { browserPage } from '../browser-page.ts'

const field = optionalText(z.string())
const backendParameter = { backend: pathText }
const providerParameters = { backend: pathText, provider: pathText }

/** What the beginning of a sign-in takes: where it leads to, and to which kind of client. */
const beginning = {
  next: field,
  multiuse_object_key: field,
  mobile_flow_otp: field,
  desktop_flow_otp: field,
}

/** `moved` says that the browser was sent to the organization's own host already. */
const start = { ...beginning, moved: field }

export const startExternalLogIn = endpoint({
  ...browserPage,
  name: 'startExternalLogIn',
  method: 'GET',
  path: '/accounts/login/social/{backend}',
  summary: 'Begins a log-in at another site',
  pathParameters: backendParameter,
  parameters: start,
})

export const startProviderLogIn = endpoint({
  ...browserPage,
  name: 'startProviderLogIn',
  method: 'GET',
  path: '/accounts/login/social/{backend}/{provider}',
  summary: 'Begins a log-in at one of several sites of a kind',
  pathParameters: providerParameters,
  parameters: start,
})

export const startExternalSignUp = endpoint({
  ...browserPage,
  name: 'startExternalSignUp',
  method: 'GET',
  path: '/accounts/register/social/{backend}',
  summary: 'Begins a sign-up at another site',
  pathParameters: backendParameter,
  parameters: start,
})

export const startProviderSignUp = endpoint({
  ...browserPage,
  name: 'startProviderSignUp',
  method: 'GET',
  path: '/accounts/register/social/{backend}/{provider}',
  summary: 'Begins a sign-up at one of several sites of a kind',
  pathParameters: providerParameters,
  parameters: start,
})

/** What the organization's host hands on to the host where providers send people back. */
const handedOn = { ...beginning, subdomain: field, is_signup: field, browser: field }

export const openExternalSite = endpoint({
  ...browserPage,
  name: 'openExternalSite',
  method: 'GET',
  path: '/login/{backend}',
  summary: 'Sends a browser to another site, to sign in there',
  pathParameters: backendParameter,
  parameters: handedOn,
})

export const openProviderSite = endpoint({
  ...browserPage,
  name: 'openProviderSite',
  method: 'GET',
  path: '/login/{backend}/{provider}',
  summary: 'Sends a browser to one of several sites of a kind',
  pathParameters: providerParameters,
  parameters: handedOn,
})

/** What a provider answers by way of the browser. */
const answer = {
  state: field,
  code: field,
  iss: field,
  error: field,
  error_description: field,
  user: field,
}

/** The same by SAML; a log-out is a request, or the answer to one, whose signature is in the query. */
const samlMessage = {
  SAMLResponse: optionalText(z.string().max(limits.maxSamlAnswerLength)),
  SAMLRequest: field,
  RelayState: field,
  SigAlg: field,
  Signature: field,
}

export const completeExternalSignIn = endpoint({
  ...browserPage,
  name: 'completeExternalSignIn',
  method: 'GET',
  path: '/complete/{backend}',
  summary: 'Takes the answer of another site',
  pathParameters: backendParameter,
  parameters: { ...answer, ...samlMessage },
})

export const completeProviderSignIn = endpoint({
  ...browserPage,
  name: 'completeProviderSignIn',
  method: 'GET',
  path: '/complete/{backend}/{provider}',
  summary: 'Takes the answer of one of several sites of a kind',
  pathParameters: providerParameters,
  parameters: answer,
})

export const completePostedSignIn = endpoint({
  ...browserPage,
  name: 'completePostedSignIn',
  method: 'POST',
  path: '/complete/{backend}',
  summary: 'Takes the answer of another site that is sent as a form',
  pathParameters: backendParameter,
  parameters: { ...answer, ...samlMessage },
})

export const showSamlMetadata = endpoint({
  owner: 'users',
  prefix: '',
  auth: 'public',
  answer: 'file',
  response: z.object({}),
  name: 'showSamlMetadata',
  method: 'GET',
  path: '/saml/metadata.xml',
  summary: 'Describes the installation to SAML providers',
})

export const takeHandOver = endpoint({
  ...browserPage,
  name: 'takeHandOver',
  method: 'GET',
  path: '/accounts/login/subdomain/{token}',
  summary: 'Ends a sign-in at the host of the organization',
  pathParameters: { token: pathText },
})

export const startProxySignIn = endpoint({
  ...browserPage,
  takesCookies: false,
  name: 'startProxySignIn',
  method: 'GET',
  path: '/accounts/login/start/sso',
  summary: 'Begins a log-in by the proxy that signs users in',
  parameters: beginning,
})

export const completeProxySignIn = endpoint({
  ...browserPage,
  takesRemoteUser: true,
  name: 'completeProxySignIn',
  method: 'GET',
  path: '/accounts/login/sso',
  summary: 'Signs in the user that the proxy names',
  parameters: beginning,
})

export const submitToken = endpoint({
  ...browserPage,
  name: 'submitToken',
  method: 'POST',
  path: '/accounts/login/jwt',
  summary: 'Signs in the user that a token of the organization’s own site names',
  parameters: { token: field },
})

const chosen = { next: field, subdomain: field }

export const showOrganizationChoice = endpoint({
  ...browserPage,
  takesCookies: false,
  name: 'showOrganizationChoice',
  method: 'GET',
  path: '/accounts/go',
  summary: 'Page that leads to the log-in page of an organization',
  parameters: chosen,
})

export const submitOrganizationChoice = endpoint({
  ...browserPage,
  takesCookies: false,
  name: 'submitOrganizationChoice',
  method: 'POST',
  path: '/accounts/go',
  summary: 'Leads to the log-in page of an organization',
  parameters: chosen,
})
