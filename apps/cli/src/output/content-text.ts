export { contentText } from '@turnwire/client/view';
