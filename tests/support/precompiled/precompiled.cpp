// SPDX-License-Identifier: Apache-2.0
// No test: a program like theirs, so that what it precompiles fits them.
int main() {}
