export { renderShortText } from './render-short-text.ts'
