import { limits } from '@tms/contracts'
import { DOMParser, type XmlElement } from '@xmldom/xmldom/lib/dom-parser.js'

/** Of decoded base64. Larger messages are refused unread. */
const MAX_MESSAGE_BYTES = (limits.maxSamlAnswerLength * 3) / 4
/** Elements of a message: what follows takes time for each pair of some of them. */
const MAX_TAGS = 5_000

export const SAML = 'urn:oasis:names:tc:SAML:2.0:assertion'
export const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol'
export const METADATA = 'urn:oasis:names:tc:SAML:2.0:metadata'
export const SIGNATURES = 'http://www.w3.org/2000/09/xmldsig#'

export type { XmlElement }

/**
 * Parses a message, of elements, attributes and texts alone. Comments could hide a part of an address, DTDs have
 * entities, and no provider sends either. Throws what isn't well-formed, and what is too large.
 */
export function parseMessage(xml: string): XmlElement {
  if (Buffer.byteLength(xml) > MAX_MESSAGE_BYTES) throw new Error('the XML is too large')
  if (xml.split('<').length > MAX_TAGS) throw new Error('the XML has too many elements')
  if (/<[!?]/.test(withoutDeclaration(xml)))
    throw new Error('the XML has a DTD, a comment, CDATA or a processing instruction')
  return parse(xml)
}

/** Parses a file of the operator. Throws what isn't well-formed, and DTDs. */
export function parseFile(xml: string): XmlElement {
  if (/<!(?!--)/.test(xml)) throw new Error('it has a DTD or CDATA')
  return parse(xml)
}

const withoutDeclaration = (xml: string): string => xml.replace(/^\uFEFF?\s*<\?xml\s[^?<>]*\?>/, '')

function parse(xml: string): XmlElement {
  const refuse = (_: string, message: string) => {
    throw new Error(`the XML is malformed: ${message.split('\n')[0] ?? ''}`)
  }
  const root = new DOMParser({ errorHandler: refuse }).parseFromString(
    xml.trimStart(),
    'text/xml',
  ).documentElement
  if (!root) throw new Error('the XML is empty')
  return root
}

const ELEMENT = 1

export const elementsIn = (parent: XmlElement): XmlElement[] =>
  Array.from(parent.childNodes).filter((node): node is XmlElement => node.nodeType === ELEMENT)

/** Child elements of a name. */
export const childrenOf = (parent: XmlElement, namespace: string, name: string): XmlElement[] =>
  elementsIn(parent).filter((child) => child.localName === name && child.namespaceURI === namespace)

/** The child of a name; null without one. Throws if there are several. */
export function findChild(parent: XmlElement, namespace: string, name: string): XmlElement | null {
  const [child, ...others] = childrenOf(parent, namespace, name)
  if (others.length > 0) throw new Error(`there are several of ${name}`)
  return child ?? null
}

/** The text of an element, without white space around it; '' without an element. Throws if it has elements in it. */
export function textOf(element: XmlElement | null): string {
  if (element && elementsIn(element).length > 0) throw new Error(`${element.localName} is no text`)
  return (element?.textContent ?? '').trim()
}

/** The value of an attribute; null without one. */
export const attributeOf = (element: XmlElement, name: string): string | null =>
  element.hasAttribute(name) ? element.getAttribute(name) : null

/** The element and everything in it. */
export function* allIn(root: XmlElement): Generator<XmlElement> {
  const open = [root]
  for (let element = open.pop(); element; element = open.pop()) {
    yield element
    open.push(...elementsIn(element).toReversed())
  }
}

/** The time of an attribute, in milliseconds; null without one. Throws if it is none. */
export function timeOf(element: XmlElement, name: string): number | null {
  const text = attributeOf(element, name)
  if (text === null) return null
  const time = Date.parse(text)
  if (!/^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(text) || Number.isNaN(time))
    throw new Error(`${name} is no time`)
  return time
}
