import { memoryStore } from '../../src/store/memory-store.ts';
import { sessionStoreContract } from './session-store-contract.ts';

sessionStoreContract('memory', async () => ({ open: async () => memoryStore(), remove: async () => undefined }));
