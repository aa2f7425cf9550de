// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/data_type.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

namespace headroom::test_data_type
{

static_assert(storedBytes(DataType::Bf16) == 2);
static_assert(storedBytes(DataType::Fp4) == 0.5625); // NVFP4: 4 + 8/16 bits
static_assert(dataTypeRow(DataType::Native).type == DataType::Native);

class TestDataType : public QObject
{
    Q_OBJECT
private slots:
    void idsReadBack()
    {
        for (const DataTypeRow& row : dataTypeTable)
            QCOMPARE(dataTypeFromId(row.id), std::optional(row.type));
        QVERIFY(!dataTypeFromId("BF16"));
        QVERIFY(!dataTypeFromId(""));
    }
};
HEADROOM_TEST(TestDataType)

} // namespace headroom::test_data_type
#include "test_data_type.moc"
