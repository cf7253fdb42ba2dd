import { escapeHtml } from '@tms/service-kit'
import type { OwnKey } from './own-key.ts'

const ENCRYPTION = [
  'http://www.w3.org/2009/xmlenc11#aes256-gcm',
  'http://www.w3.org/2009/xmlenc11#aes128-gcm',
  'http://www.w3.org/2001/04/xmlenc#aes256-cbc',
  'http://www.w3.org/2001/04/xmlenc#aes128-cbc',
]

/** What providers read about the installation. */
export function writeOwnMetadata({
  entityId,
  answerUrl,
  key,
}: {
  readonly entityId: string
  readonly answerUrl: string
  readonly key: OwnKey | null
}): string {
  const url = escapeHtml(answerUrl)
  return `<?xml version="1.0" encoding="UTF-8"?>
<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${escapeHtml(entityId)}">
  <md:SPSSODescriptor AuthnRequestsSigned="${key !== null}" WantAssertionsSigned="true" protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
${key === null ? '' : keyDescriptors(key)}    <md:SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${url}"/>
    <md:SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${url}"/>
    <md:AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${url}" index="0" isDefault="true"/>
  </md:SPSSODescriptor>
</md:EntityDescriptor>
`
}

function keyDescriptors({ certificate }: OwnKey): string {
  const base64 = certificate.replace(/-----[A-Z ]+-----|\s/g, '')
  const info = `<ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>${base64}</ds:X509Certificate></ds:X509Data></ds:KeyInfo>`
  const methods = ENCRYPTION.map((method) => `<md:EncryptionMethod Algorithm="${method}"/>`).join('')
  return `    <md:KeyDescriptor use="signing">${info}</md:KeyDescriptor>
    <md:KeyDescriptor use="encryption">${info}${methods}</md:KeyDescriptor>
`
}
