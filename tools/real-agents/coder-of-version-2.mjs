// The built-in agent as an agent that has only version 2 of the protocol, on stdin and stdout.
import { serveCoder } from '@turnwire/coder';

serveCoder({ versions: [2] });
