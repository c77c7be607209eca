export {
  cleanJson,
  cleanLine,
  cleanText,
  TextCleaner,
  visibleLine,
  visibleText,
} from '@turnwire/client/unseen-characters';
