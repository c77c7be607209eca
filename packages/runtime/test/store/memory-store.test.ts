import { memoryStore } from '../../src/store/memory-store.ts';
import { searchContract } from './search-contract.ts';
import { sessionStoreContract } from './session-store-contract.ts';

const place = { open: async () => memoryStore(), remove: async () => undefined };

sessionStoreContract('memory', async () => place);
searchContract('memory', async () => place);
